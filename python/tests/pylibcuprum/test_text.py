"""Text, row by row, beside Python's own methods."""

import datetime as dt
import decimal
import re
import textwrap

import pytest

from pylibcuprum import Column, DataType, Scalar, Table, TypeId, copying, json
from pylibcuprum.strings import (
    attributes,
    capitalize,
    case,
    char_types,
    combine,
    contains,
    extract,
    find,
    find_multiple,
    findall,
    padding,
    repeat,
    replace,
    replace_re,
    reverse,
    slice,
    strip,
    translate,
    wrap,
)
from pylibcuprum.strings.convert import (
    convert_booleans,
    convert_datetime,
    convert_fixed_point,
    convert_floats,
    convert_integers,
    convert_lists,
)
from pylibcuprum.strings.regex_flags import RegexFlags
from pylibcuprum.strings.regex_program import RegexProgram
from pylibcuprum.strings.side_type import SideType
from pylibcuprum.strings.split import partition, split

TEXTS = ["Hello World", None, "", "straße", " über\t", "a,b,,c", "ǅ", "12", "日本語 text"]
STRING = DataType(TypeId.STRING)


def column(values, dtype=STRING):
    return Column.from_iterable_of_py(values, dtype)


def text(value):
    return Scalar.from_py(value)


def program(pattern, flags=RegexFlags.DEFAULT):
    return RegexProgram.create(pattern, flags)


def each(function, values=TEXTS):
    return [None if value is None else function(value) for value in values]


SIMPLE = {
    "count_characters": (attributes.count_characters, len),
    "count_bytes": (attributes.count_bytes, lambda t: len(t.encode())),
    "to_lower": (case.to_lower, str.lower),
    "to_upper": (case.to_upper, str.upper),
    "swapcase": (case.swapcase, str.swapcase),
    "capitalize": (capitalize.capitalize, str.capitalize),
    "title": (capitalize.title, str.title),
    "is_title": (capitalize.is_title, str.istitle),
    "reverse": (reverse.reverse, lambda t: t[::-1]),
    "strip": (strip.strip, str.strip),
    "lstrip": (lambda c: strip.strip(c, SideType.LEFT), str.lstrip),
    "rstrip": (lambda c: strip.strip(c, SideType.RIGHT), str.rstrip),
    "strip of characters": (lambda c: strip.strip(c, SideType.BOTH, text("Hd")), lambda t: t.strip("Hd")),
    "zfill": (lambda c: padding.zfill(c, 5), lambda t: t.zfill(5)),
    "rjust": (lambda c: padding.pad(c, 8, SideType.LEFT, "*"), lambda t: t.rjust(8, "*")),
    "ljust": (lambda c: padding.pad(c, 8, SideType.RIGHT, "*"), lambda t: t.ljust(8, "*")),
    "center": (lambda c: padding.pad(c, 8, SideType.BOTH, "*"), lambda t: t.center(8, "*")),
    "repeat": (lambda c: repeat.repeat_strings(c, 2), lambda t: t * 2),
    "not at all": (lambda c: repeat.repeat_strings(c, -1), lambda t: ""),
    "find": (lambda c: find.find(c, text("l")), lambda t: t.find("l")),
    "find in a range": (lambda c: find.find(c, text("l"), 3, 9), lambda t: t.find("l", 3, 9)),
    "rfind": (lambda c: find.rfind(c, text("l")), lambda t: t.rfind("l")),
    "contains": (lambda c: find.contains(c, text("b")), lambda t: "b" in t),
    "starts_with": (lambda c: find.starts_with(c, text("He")), lambda t: t.startswith("He")),
    "ends_with": (lambda c: find.ends_with(c, text("c")), lambda t: t.endswith("c")),
    "replace": (lambda c: replace.replace(c, text("l"), text("LL")), lambda t: t.replace("l", "LL")),
    "replace once": (lambda c: replace.replace(c, text("l"), text(""), 1), lambda t: t.replace("l", "", 1)),
    "replace none": (lambda c: replace.replace(c, text("l"), text(""), 0), lambda t: t),
    "replace_slice": (lambda c: replace.replace_slice(c, text("_"), 1, 3), lambda t: t[:1] + "_" + t[3:]),
    "slice": (
        lambda c: slice.slice_strings(c, text(1), text(-1), text(2)),
        lambda t: t[1:-1:2],
    ),
    "translate": (
        lambda c: translate.translate(c, {ord("l"): "L", "o": 0, 97: 65}),
        lambda t: t.translate({ord("l"): "L", ord("o"): None, 97: "A"}),
    ),
    "contains_re": (
        lambda c: contains.contains_re(c, program("[a-c]")),
        lambda t: bool(re.search("[a-c]", t)),
    ),
    "ignoring case": (
        lambda c: contains.contains_re(c, program("HELLO", RegexFlags.IGNORECASE)),
        lambda t: "hello" in t.lower(),
    ),
    "count_re": (lambda c: contains.count_re(c, program("[lo]")), lambda t: len(re.findall("[lo]", t))),
    "matches_re": (lambda c: contains.matches_re(c, program("H|a")), lambda t: bool(re.match("H|a", t))),
    "like": (lambda c: contains.like(c, "_e%"), lambda t: bool(re.fullmatch("(?s).e.*", t))),
    "like, escaped": (lambda c: contains.like(c, "%!%%", "!"), lambda t: "%" in t),
    "replace_re": (
        lambda c: replace_re.replace_re(c, program("[lo]+"), text(r"\1$")),
        lambda t: re.sub("[lo]+", lambda _: r"\1$", t),
    ),
    "backrefs": (
        lambda c: replace_re.replace_with_backrefs(c, program("(.)(l)"), r"${2}\1"),
        lambda t: re.sub("(.)(l)", r"\2\1", t),
    ),
}


@pytest.mark.parametrize("name", SIMPLE)
def test_functions_of_each_text(name):
    function, python = SIMPLE[name]
    assert function(column(TEXTS)).to_pylist() == each(python)
    assert function(column([])).to_pylist() == []
    part = copying.slice(column(TEXTS), [3, 7])[0]
    assert function(part).to_pylist() == each(python, TEXTS[3:7])
    with pytest.raises(TypeError):
        function(column([1, 2], DataType(TypeId.INT64)))
    with pytest.raises(TypeError):
        function("text")


def test_arguments_that_are_refused():
    texts = column(TEXTS)
    for call, error in [
        (lambda: find.find(texts, text(3)), TypeError),
        (lambda: find.rfind(texts, texts), TypeError),
        (lambda: find.contains(texts, Scalar.from_py(None, STRING)), ValueError),
        (lambda: replace.replace(texts, text(""), text("a")), ValueError),
        (lambda: program("("), ValueError),
        (lambda: extract.extract(texts, program("a")), ValueError),
        (lambda: extract.extract_single(texts, program("(a)"), 1), IndexError),
        (lambda: slice.slice_strings(texts, None, None, text(0)), ValueError),
        (lambda: padding.pad(texts, 3, SideType.LEFT, "ab"), TypeError),
        (lambda: padding.pad(texts, 3, 9, "a"), ValueError),
        (lambda: contains.like(texts, "a!", "!"), ValueError),
        (lambda: capitalize.capitalize(texts, text("x")), NotImplementedError),
        (lambda: capitalize.title(texts, char_types.StringCharacterTypes.ALL_TYPES), NotImplementedError),
        (lambda: combine.concatenate(Table([texts]), column(["-"] * 2)), RuntimeError),
        (lambda: combine.concatenate(Table([texts]), text(""), None, text("")), ValueError),
        (lambda: combine.concatenate(Table([]), text(""), separate_nulls=1), ValueError),
        (lambda: partition.partition(texts), NotImplementedError),
        (lambda: partition.partition(texts, text("")), ValueError),
        (lambda: convert_integers.to_integers(column(["x"]), DataType(TypeId.INT32)), ValueError),
        (lambda: convert_integers.to_integers(column(["999"]), DataType(TypeId.INT8)), OverflowError),
        (lambda: convert_integers.to_integers(column(["1"]), DataType(TypeId.FLOAT64)), TypeError),
        (lambda: convert_floats.from_floats(column(["1"])), TypeError),
        (lambda: convert_datetime.from_timestamps(column(["1"]), "%Y", column([])), TypeError),
        (RegexProgram, TypeError),
    ]:
        with pytest.raises(error):
            call()


CLASSES = {
    "DECIMAL": str.isdecimal,
    "NUMERIC": str.isnumeric,
    "DIGIT": str.isdigit,
    "ALPHA": str.isalpha,
    "SPACE": str.isspace,
    "UPPER": str.isupper,
    "LOWER": str.islower,
    "ALPHANUM": str.isalnum,
}


@pytest.mark.parametrize("name", CLASSES)
def test_character_types(name):
    types = char_types.StringCharacterTypes
    texts = ["abc", "ABC", "12", "½", "²", " \t", "a1", "", None, "aB"]
    looked_at = types.CASE_TYPES if name in ("UPPER", "LOWER") else types.ALL_TYPES
    found = char_types.all_characters_of_type(column(texts), types[name], looked_at)
    assert found.to_pylist() == each(CLASSES[name], texts)
    with pytest.raises(NotImplementedError, match="types"):
        char_types.all_characters_of_type(column(texts), types.ALPHA | types.SPACE, types.ALL_TYPES)
    with pytest.raises(NotImplementedError, match="verify_types"):
        char_types.all_characters_of_type(column(texts), types.ALPHA, types.SPACE)


def test_texts_together():
    table = Table([column(["a", None, "c"]), column(["x", "y", None])])
    assert combine.concatenate(table, text("-")).to_pylist() == ["a-x", "-y", "c-"]
    assert combine.concatenate(table, text("-"), text("?")).to_pylist() == ["a-x", "?-y", "c-?"]
    null = Scalar.from_py(None, STRING)
    assert combine.join_strings(table.columns()[0], text("+"), null).to_pylist() == ["a+c"]
    assert combine.join_strings(table.columns()[0], text("+"), text("?")).to_pylist() == ["a+?+c"]


def test_several_targets():
    texts, targets = column(["abc", None, "b"]), column(["b", "c"])
    assert find_multiple.find_multiple(texts, targets).to_pylist() == [[1, 2], [-1, -1], [0, -1]]
    found = find_multiple.contains_multiple(texts, targets).columns()
    assert [c.to_pylist() for c in found] == [[True, None, True], [True, None, False]]
    with pytest.raises(ValueError, match="targets"):
        find_multiple.find_multiple(texts, column([None]))


def parts(table):
    return [c.to_pylist() for c in table.columns()]


def test_parts():
    texts = column(["a,b,c", None, "d", ""])
    assert parts(split.split(texts, text(","), 0))[2] == ["c", None, None, None]
    assert parts(split.split(texts, text(","), 1))[1] == ["b,c", None, None, None]
    assert parts(split.rsplit(texts, text(","), 1))[0][:3] == ["a,b", None, "d"]
    assert parts(split.split(column([" a  b "]), text(""), 0)) == [["a"], ["b"]]
    assert parts(split.split_re(texts, program("[,b]+"), 0))[:2] == [
        ["a", None, "d", ""],
        ["c", None, None, None],
    ]
    for function, python in ((partition.partition, str.partition), (partition.rpartition, str.rpartition)):
        found = parts(function(texts, text(",")))
        assert [list(row) for row in zip(*found, strict=True)] == [
            [None] * 3 if value is None else list(python(value, ",")) for value in ["a,b,c", None, "d", ""]
        ]


def test_groups_of_patterns():
    texts = column(["a1", None, "b", "c22"])
    found = extract.extract(texts, program("([a-c])([0-9]+)?"))
    assert parts(found) == [["a", None, "b", "c"], ["1", None, None, "22"]]
    assert extract.extract_single(texts, program("([a-c])([0-9]+)?"), 1).to_pylist() == [
        "1",
        None,
        None,
        "22",
    ]


def test_conversions():
    int8, int64, float64, boolean = (
        DataType(t) for t in (TypeId.INT8, TypeId.INT64, TypeId.FLOAT64, TypeId.BOOL8)
    )
    texts = column(["12", None, "-3"])
    assert convert_integers.to_integers(texts, int8).to_pylist() == [12, None, -3]
    assert convert_integers.from_integers(column([12, None, -3], int64)).to_pylist() == ["12", None, "-3"]
    checked = column(["12", None, "x", "300", "1.5", ""])
    assert convert_integers.is_integer(checked).to_pylist() == [True, None, False, True, False, False]
    assert convert_integers.is_integer(checked, int8).to_pylist() == [True, None, False, False, False, False]
    assert convert_floats.is_float(checked).to_pylist() == [True, None, False, True, True, False]
    assert convert_floats.to_floats(column(["1.5", None, "-inf"]), float64).to_pylist() == [
        1.5,
        None,
        -float("inf"),
    ]
    assert convert_floats.from_floats(column([1.5, None], float64)).to_pylist() == ["1.5", None]
    assert convert_booleans.to_booleans(column(["y", None, "n"]), text("y")).to_pylist() == [
        True,
        None,
        False,
    ]
    found = convert_booleans.from_booleans(column([True, None, False], boolean), text("y"), text("n"))
    assert found.to_pylist() == ["y", None, "n"]
    money = DataType(TypeId.DECIMAL64, -2)
    decimals = convert_fixed_point.to_fixed_point(column(["1.25", None, "-7"]), money)
    assert decimals.to_pylist() == [decimal.Decimal("1.25"), None, decimal.Decimal("-7.00")]
    assert convert_fixed_point.from_fixed_point(decimals).to_pylist() == ["1.25", None, "-7.00"]


def test_times_in_texts():
    seconds = DataType(TypeId.TIMESTAMP_SECONDS)
    texts = column(["2024-02-29 10:11:12", None, "nonsense"])
    form = "%Y-%m-%d %H:%M:%S"
    times = convert_datetime.to_timestamps(texts, seconds, form)
    assert times.to_arrow().to_pylist() == [dt.datetime(2024, 2, 29, 10, 11, 12), None, None]
    assert convert_datetime.is_timestamp(texts, form).to_pylist() == [True, None, False]
    printed = convert_datetime.from_timestamps(times, "%d/%m/%Y", column([]))
    assert printed.to_pylist() == ["29/02/2024", None, None]
    with pytest.raises(NotImplementedError, match="input_strings_names"):
        convert_datetime.from_timestamps(times, form, column(["AM"]))


PATTERNS = ["[a-z]+", "l", "(o)(r)?", ",", "[^a-zA-Z]+", "日"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_places_of_matches(pattern):
    def place(row):
        found = re.search(pattern, row)
        return -1 if found is None else found.start()

    assert findall.find_re(column(TEXTS), program(pattern)).to_pylist() == each(place)


@pytest.mark.parametrize("pattern", ["(l)(o)?", "([a-z])([a-z])", "(,)"])
def test_groups_of_all_matches(pattern):
    def groups(row):
        return [group for found in re.finditer(pattern, row) for group in found.groups()] or None

    made = extract.extract_all_record(column(TEXTS), program(pattern))
    assert made.to_pylist() == each(groups)
    with pytest.raises(ValueError, match="no capture groups"):
        extract.extract_all_record(column(TEXTS), program("a"))


@pytest.mark.parametrize("maxsplit", [-1, 0, 1, 2])
def test_parts_between_matches_from_the_end(maxsplit):
    def parts(row):
        cuts = [found.span() for found in re.finditer("[ ,]", row)]
        cuts = cuts[-maxsplit:] if maxsplit > 0 else cuts
        starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(row)]
        return [row[start:end] for start, end in zip(starts, ends, strict=True)]

    wanted = each(parts)
    assert split.rsplit_record_re(column(TEXTS), program("[ ,]"), maxsplit).to_pylist() == wanted
    table = split.rsplit_re(column(TEXTS), program("[ ,]"), maxsplit)
    rows = list(zip(*(part.to_pylist() for part in table.columns()), strict=True))
    assert [[part for part in row if part is not None] for row in rows] == [row or [] for row in wanted]


def test_several_targets_replaced():
    def replaced(targets, new, limit=-1):
        return replace.replace_multiple(column(TEXTS), column(targets), column(new), limit).to_pylist()

    def by(pairs, limit=0):
        pattern = "|".join(map(re.escape, pairs))
        return each(lambda row: re.sub(pattern, lambda found: pairs[found[0]], row, count=limit))

    assert replaced(["l", "lo", "日"], ["L", "?", "sun"]) == by({"l": "L", "lo": "?", "日": "sun"})
    assert replaced(["lo", "l"], ["l"]) == by({"lo": "l", "l": "l"})
    assert replaced(["l", ","], ["1", ";"], 1) == by({"l": "1", ",": ";"}, 1)
    assert replaced(["", "a"], ["x", "y"]) == by({"a": "y"})
    for targets, new in ([], []), (["a", "b", "c"], ["x", "y"]):
        with pytest.raises(ValueError, match="target"):
            replaced(targets, new)


def test_zeros_up_to_widths():
    texts, widths = ["-12", "7", None, "+é", "12345", "1"], [5, 3, 4, 4, 2, None]
    made = padding.zfill_by_widths(column(texts), column(widths, DataType(TypeId.INT32)))
    expected = [
        None if text is None or width is None else text.zfill(width)
        for text, width in zip(texts, widths, strict=True)
    ]
    assert made.to_pylist() == expected
    assert padding.zfill_by_widths(column(["a"]), column([-1], DataType(TypeId.INT32))).to_pylist() == ["a"]
    with pytest.raises(TypeError, match="widths"):
        padding.zfill_by_widths(column(["a"]), column(["b"]))


def test_characters_left_out():
    types, everything = char_types.StringCharacterTypes, char_types.StringCharacterTypes.ALL_TYPES

    def filtered(remove, keep, new=""):
        return char_types.filter_characters_of_type(column(TEXTS), remove, text(new), keep).to_pylist()

    def without(goes, new=""):
        return each(lambda row: "".join(new if goes(c) else c for c in row))

    assert filtered(types.SPACE, everything, "_") == without(str.isspace, "_")
    assert filtered(everything, types.ALPHANUM) == without(lambda c: not c.isalnum())
    assert filtered(types.UPPER | types.DIGIT, everything) == without(lambda c: c.isupper() or c.isdigit())
    assert filtered(types.ALPHA, types.UPPER) == without(lambda c: c.isalpha() and not c.isupper())
    with pytest.raises(ValueError, match="all characters"):
        filtered(everything, everything)

    def ranges(kind, new=""):
        return translate.filter_characters(
            column(TEXTS), {"a": "f", ord("W"): ord("Z")}, kind, text(new)
        ).to_pylist()

    def is_named(c):
        return "a" <= c <= "f" or "W" <= c <= "Z"

    assert ranges(translate.FilterType.REMOVE, "*") == without(is_named, "*")
    assert ranges(translate.FilterType.KEEP) == without(lambda c: not is_named(c))


@pytest.mark.parametrize("name", ["INT8", "INT16", "INT32", "INT64", "UINT8", "UINT64"])
def test_hexadecimal_digits(name):
    dtype = DataType(TypeId[name])
    bits = int(name.lstrip("UINT"))
    low, high = (0, 2**bits - 1) if name.startswith("U") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    values = [0, 1, 15, 16, 123, None, low, high, high // 3]

    def digits(value):
        made = f"{value & (2**bits - 1):X}"
        return made if len(made) % 2 == 0 else f"0{made}"

    made = convert_integers.integers_to_hex(column(values, dtype))
    assert made.to_pylist() == each(digits, values)
    with pytest.raises(TypeError, match="integers"):
        convert_integers.integers_to_hex(column(TEXTS))


@pytest.mark.parametrize("width", [1, 3, 7, 20])
def test_lines_of_a_width(width):
    texts = ["the quick brown fox jumped over the lazy brown dog", "hello, world", None, "", "straße über"]
    made = wrap.wrap(column(texts), width).to_pylist()
    assert made == each(
        lambda row: textwrap.fill(row, width, break_long_words=False, break_on_hyphens=False), texts
    )
    with pytest.raises(ValueError, match="width"):
        wrap.wrap(column(texts), 0)


def test_texts_of_lists():
    lists = Column.from_iterable_of_py([["aa", "bb"], None, ["", None, "dd"], [], [None], ["x"]])
    nothing = Scalar.from_py(None, STRING)
    yes, no = combine.SeparatorOnNulls.YES, combine.SeparatorOnNulls.NO
    empty, null = combine.OutputIfEmptyList.EMPTY_STRING, combine.OutputIfEmptyList.NULL_ELEMENT

    def joined(separator, separator_narep, narep, separate, policy):
        return combine.join_list_elements(
            lists, separator, separator_narep, narep, separate, policy
        ).to_pylist()

    assert joined(text("-"), nothing, nothing, yes, empty) == ["aa-bb", None, None, "", None, "x"]
    assert joined(text("-"), nothing, text("?"), yes, null) == ["aa-bb", None, "-?-dd", None, "?", "x"]
    assert joined(text("-"), nothing, text("?"), no, empty) == ["aa-bb", None, "?-dd", "", "?", "x"]
    each_row = column(["+", "-", None, "*", "/", "-"])
    assert joined(each_row, nothing, text(""), yes, empty) == ["aa+bb", None, None, "", "", "x"]
    assert joined(each_row, text("|"), text(""), yes, empty) == ["aa+bb", None, "||dd", "", "", "x"]


def test_lists_as_texts():
    flat = Column.from_iterable_of_py([["a", "b"], [], None, [None, "é"]])
    assert convert_lists.format_list_column(flat).to_pylist() == ["[a,b]", "[]", "", "[,é]"]
    deep = Column.from_iterable_of_py([[["a"], None], [[None, "b"], []]])
    marks = column(["; ", "<", ">"])
    found = convert_lists.format_list_column(deep, text("NULL"), marks).to_pylist()
    assert found == ["<<a>; NULL>", "<<NULL; b>; <>>"]
    with pytest.raises(ValueError, match="separators"):
        convert_lists.format_list_column(flat, None, column(["a"]))
    with pytest.raises(TypeError, match="lists"):
        convert_lists.format_list_column(Column.from_iterable_of_py([[1]]))


def test_parts_of_json_texts():
    texts = ['{"a": [{"b": "x"}, {"c": 1}]}', "{}", None, '{"a": "y"}']

    def found(path, **options):
        return json.get_json_object(
            column(texts), text(path), json.GetJsonObjectOptions(**options)
        ).to_pylist()

    assert json.get_json_object(column(texts), text("$.a")).to_pylist() == [
        '[{"b": "x"}, {"c": 1}]',
        None,
        None,
        "y",
    ]
    assert found("$.a[0].b", strip_quotes_from_single_strings=False) == ['"x"', None, None, None]
    assert found("$.a[*].b", missing_fields_as_nulls=True) == ['["x",null]', None, None, "[]"]
    options = json.GetJsonObjectOptions()
    for name, default in (
        ("allow_single_quotes", False),
        ("strip_quotes_from_single_strings", True),
        ("missing_fields_as_nulls", False),
    ):
        assert getattr(options, f"get_{name}")() is default
        getattr(options, f"set_{name}")(not default)
        assert getattr(options, f"get_{name}")() is not default
    with pytest.raises(ValueError, match="JSONPath"):
        found("$$")


PLACES = ["abcab", "éab", "", None, "ab", "x"]
SOUGHT = ["ab", "a", "", "a", None, "xy"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (find.find, str.find),
        (find.contains, str.__contains__),
        (find.starts_with, str.startswith),
        (find.ends_with, str.endswith),
    ],
)
def test_targets_of_each_row(function, expected):
    texts, targets = Column.from_iterable_of_py(PLACES), Column.from_iterable_of_py(SOUGHT)
    pairs = list(zip(PLACES, SOUGHT, strict=True))
    otherwise = None if function is find.find else False

    def of(text, target):
        return None if text is None else otherwise if target is None else expected(text, target)

    assert function(texts, targets).to_pylist() == [of(*pair) for pair in pairs]
    with pytest.raises(ValueError, match="`targets` has 1 rows"):
        function(texts, Column.from_iterable_of_py(["a"]))
    with pytest.raises(TypeError):
        function(texts, Column.from_iterable_of_py([1] * 6))


def test_targets_of_each_row_between_positions():
    texts, targets = Column.from_iterable_of_py(["abab", "éaba"]), Column.from_iterable_of_py(["ab", "a"])
    assert find.find(texts, targets, 1).to_pylist() == [2, 1]
    assert find.find(texts, targets, 2, 3).to_pylist() == [-1, -1]


def test_nulls_among_texts_put_together():
    columns = Table([Column.from_iterable_of_py(one) for one in (["a", None, "c"], ["a", "b", None])])
    dash, mark, null = Scalar.from_py("-"), Scalar.from_py("!"), Scalar.from_py(None, DataType(TypeId.STRING))
    together = combine.concatenate
    assert together(columns, dash).to_pylist() == ["a-a", "-b", "c-"]
    assert together(columns, dash, mark).to_pylist() == ["a-a", "!-b", "c-!"]
    assert together(columns, dash, null).to_pylist() == ["a-a", None, None]
    without = combine.SeparatorOnNulls.NO
    assert together(columns, dash, separate_nulls=without).to_pylist() == ["a-a", "b", "c"]
    with pytest.raises(ValueError, match="`col_narep`"):
        together(columns, dash, mark, mark)


def test_separators_of_each_row():
    columns = Table([Column.from_iterable_of_py(one) for one in (["a", None, "c"], ["a", "b", None])])
    separators = Column.from_iterable_of_py([None, "?", ","])
    mark, star = Scalar.from_py("1"), Scalar.from_py("*")
    null = Scalar.from_py(None, DataType(TypeId.STRING))
    together = combine.concatenate
    assert together(columns, separators).to_pylist() == ["aa", "?b", "c,"]
    assert together(columns, separators, mark, star).to_pylist() == ["a1a", "*?b", "c,*"]
    assert together(columns, separators, null, null).to_pylist() == [None, None, None]
    with pytest.raises(RuntimeError, match="`separators` has 2 rows"):
        together(columns, Column.from_iterable_of_py(["a", "b"]))


def test_null_lists_as_texts():
    lists = Column.from_iterable_of_py([["a", None], None])
    assert convert_lists.format_list_column(lists).to_pylist() == ["[a,]", ""]
    assert convert_lists.format_list_column(lists, Scalar.from_py("-")).to_pylist() == ["[a,-]", "-"]


def test_words_of_letters_and_of_letters_with_case():
    kinds = char_types.StringCharacterTypes
    texts = Column.from_iterable_of_py(["new YORK", "aƻb", None])
    assert capitalize.title(texts, kinds.ALPHA).to_pylist() == ["New York", "Aƻb", None]
    assert capitalize.title(texts, kinds.CASE_TYPES).to_pylist() == ["New York", "AƻB", None]
    with pytest.raises(NotImplementedError, match="sequence_type"):
        capitalize.title(texts, kinds.DIGIT)


@pytest.mark.parametrize(
    ("text", "kind", "scale", "is_one"),
    [
        ("1.5", None, 0, True),
        ("-.5e3", None, 0, True),
        ("+7.", None, 0, True),
        ("1.2.3", None, 0, False),
        ("", None, 0, False),
        ("e5", None, 0, False),
        (" 1", None, 0, False),
        (str(2**63 - 1), None, 0, True),
        (str(2**63), None, 0, False),
        (str(-(2**63)), None, 0, True),
        ("1e18", None, 0, True),
        ("1e19", None, 0, False),
        ("0e99999999", None, 0, True),
        ("1e99999999999999999999", None, 0, False),
        ("2147483647", TypeId.DECIMAL32, 0, True),
        ("2147483648", TypeId.DECIMAL32, 0, False),
        ("2147483648", TypeId.DECIMAL32, 1, True),
        ("21474836.48", TypeId.DECIMAL32, -2, False),
        ("21474836.479", TypeId.DECIMAL32, -2, True),
        ("9" * 38, TypeId.DECIMAL128, 0, True),
        ("9" * 40, TypeId.DECIMAL128, 0, False),
    ],
)
def test_texts_that_are_decimals(text, kind, scale, is_one):
    of = None if kind is None else DataType(kind, scale)
    texts = Column.from_iterable_of_py([text, None])
    assert convert_fixed_point.is_fixed_point(texts, of).to_pylist() == [is_one, None]
    with pytest.raises(TypeError, match="`decimal_type`"):
        convert_fixed_point.is_fixed_point(texts, DataType(TypeId.INT32))
