"""Setting elements, rows and columns: brackets, `loc`, `iloc`, `at` and attributes."""

import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, ours
from small_frames import CROSSED, FLOATS, FOUR_ROWS, frame_after, written

import cuprum
import cuprum as cp

INTEGERS = pd.DataFrame({"a": [3, 1, 2], "b": [4, 5, 6]}, index=[10, 5, 7])
UNLIKE = pd.DataFrame({"a": [3, 1, 2], "b": [1.5, 2.0, 2.5]}, index=[10, 5, 7])
REPEATED = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["a", "b", "a"])
WIDE = pd.DataFrame(
    [[1, 2, 3], [4, 5, 6]], columns=pd.MultiIndex.from_tuples([("u", "a"), ("u", "b"), ("v", "a")])
)
SERIES = pd.Series([3, 1, 2, 1], index=["p", "q", "r", "s"], name="v")
INSTANT = pd.Timestamp("2020-01-01", tz="UTC")


def changed(obj, change):
    """Run statements on a copy of ``obj`` with both libraries and compare it."""

    def run(lib, df):
        exec(change, {"lib": lib, "np": np, "pd": pd, "df": df, "INSTANT": INSTANT})
        return df

    agree(run, df=obj)


@pytest.mark.parametrize("rows", ["[10, 5]", "10:5", "[True, True, False]", "df.a != 2"])
def test_a_frame_is_matched_to_columns_of_unlike_types_by_label(rows):
    value = "lib.DataFrame({'b': [.5, .6], 'a': [7, 8]}, index=[10, 5])"
    changed(UNLIKE, f"df.loc[{rows}] = {value}")
    changed(UNLIKE, f"df.loc[{rows}, ['b', 'a']] = {value}")
    changed(UNLIKE, f"df.loc[{rows}] = {value}[['b']]")
    changed(UNLIKE, f"df.loc[{rows}, ['a', 'b']] = {value}[['b']]")


def test_columns_of_one_type_that_no_label_names_are_set_in_order():
    changed(INTEGERS, "df.loc[[10, 5]] = lib.DataFrame({'b': [7, 8], 'a': [9, 0]}, index=[5, 10])")
    ours = cp.DataFrame(INTEGERS)
    with pytest.raises(ValueError, match="2 columns from a frame of 1: name those that are set"):
        ours.loc[[10, 5]] = cp.DataFrame({"b": [7, 8]}, index=[10, 5])
    with pytest.raises(KeyError, match="no column 'a' in the DataFrame"):
        ours.loc[[10, 5], ["a", "b"]] = cp.DataFrame({"c": [7, 8]}, index=[10, 5])
    assert ours.equals(cp.DataFrame(INTEGERS))


@pytest.mark.parametrize(
    "change",
    [
        "df.loc[0, 'a'] = lib.Series([7, 8], index=['a', 'b'])",
        "df.loc[0, 'a'] = lib.Series([7, 8])",
        "df.loc[0, 'a'] = {'a': 1}",
        "df.loc[0] += 9",
        "df.loc[0] = lib.Series([7, 8, 9], index=['a', 'b', 'a'])",
        "df.loc[:, 'a'] = lib.DataFrame([[7, 8], [9, 10]], columns=['a', 'a'])",
    ],
)
def test_columns_of_one_label(change):
    changed(REPEATED, change)


def test_a_series_that_repeats_a_label_is_no_row():
    ours = cp.DataFrame(UNLIKE)
    with pytest.raises(ValueError, match="several elements for the column 'a'"):
        ours.loc[10] = cp.Series([7, 8], index=["a", "a"])
    row = pd.Series([7, 8], index=["a", "a"])
    pd.testing.assert_frame_equal((ours + cp.Series(row)).to_pandas(), UNLIKE + row, check_dtype=False)
    changed(WIDE, "df.loc[0, 'u'] = lib.Series([7, 8])")


@pytest.mark.parametrize(
    "change",
    [
        "df[['q', 'p']] = lib.Series([7, 8])",
        "df[['q', 'p']] = lib.Series([7, 8], index=['p', 'q'])",
        "df['q':'r'] = lib.Series([7, 8])",
        "df[df > 1] = lib.Series([7, 8], index=['p', 'r'])",
        "df.loc[['q', 'p']] = lib.Series([7, 8], index=['p', 'q'])",
        "df.loc['p'] = np.array(7)",
    ],
)
def test_brackets_of_a_series_take_elements_in_order(change):
    changed(SERIES, change)


@pytest.mark.parametrize(
    "change",
    [
        "df['p'] = [7]",
        "df.iloc[0] = (7,)",
        "df.loc['z'] = [7]",
        "df['z'] = lib.Series([7, 8])",
        "df['p'] = {'a': 1}",
        "df[['p', 'q']] = {'a': 1}",
        "df[df > 1] = {'p': 1}",
        "df[['q', 'p']] = lib.Series([7, 8, 9])",
        "df['q':'r'] = lib.Series([7, 8, 9])",
    ],
)
def test_what_is_no_value_of_a_series(change):
    ours = cp.Series(SERIES)
    with pytest.raises(ValueError, match=r"scalar|lengths must match|not to a dict"):
        exec(change, {"lib": cp, "df": ours})
    assert ours.equals(cp.Series(SERIES))


@pytest.mark.parametrize("value", [cp.Series([7, 8]), {"a": 1}, cp.DataFrame([7])])
@pytest.mark.parametrize("key", [(10, "a"), (10, "new"), (99, "a")])
def test_one_element_of_a_frame_is_set_to_a_scalar(key, value):
    ours = cp.DataFrame(UNLIKE)
    with pytest.raises(ValueError, match="one element is set to a scalar"):
        ours.loc[key] = value
    assert ours.equals(cp.DataFrame(UNLIKE))
    ours.loc[10, "a"] = [7]
    assert ours.a.to_list() == [7, 1, 2]


@pytest.mark.parametrize(
    "change",
    [
        "df.loc[10, 'z'] = INSTANT",
        "df.loc[:, 'z'] = INSTANT",
        "df.loc[[5, 7], ['t', 'z']] = INSTANT",
        "df.loc[10, ['t', 'z']] = ['q', INSTANT]",
        "df.loc[10, ['z', 't']] = [INSTANT, 1]",
        "df['z'] = pd.Interval(0, 1)",
        "df.loc[:, 'z'] = pd.Interval(0.5, 1.5, 'left')",
    ],
)
def test_a_new_column_has_the_type_of_what_it_is_set_to(change):
    changed(UNLIKE, change)


def test_a_new_column_of_intervals_may_have_missing_ones():
    ours = cp.DataFrame(UNLIKE)
    ours.loc[5, "z"] = pd.Interval(0, 1)
    assert str(ours["z"].dtype) == "interval[int64, right]"
    assert ours["z"].isna().to_list() == [True, False, True]


def test_an_instant_is_no_default_of_lists_of_other_elements():
    lists = cp.Series([["a"], ["b", "c"]])
    with pytest.raises(TypeError, match="time zone"):
        lists.list.get(1, default=INSTANT)


def test_truth_values_are_no_numbers_in_a_list_either():
    numbers, truths = cp.Series([1, 2]), cp.Series([True, False])
    for series, value in [(numbers, [True]), (truths, [1]), (numbers, np.array([True]))]:
        with pytest.raises(TypeError, match="invalid value"):
            series.loc[[0]] = value
    numbers.loc[[0]] = [None]
    assert numbers.to_list()[1] == 2


@pytest.mark.parametrize(
    "value", ["2", "0.5", "'abc'", "'abc', dtype=object", "True", "'2020-01-01', dtype='M8[s]'"]
)
def test_an_array_without_dimensions_is_its_element(value):
    changed(INTEGERS, f"df['c'] = np.array({value})")
    changed(INTEGERS, f"df.insert(0, 'c', np.array({value}))")
    agree(f"df.assign(c=np.array({value}))", df=INTEGERS)
    agree(f"lib.DataFrame({{'c': np.array({value})}}, index=['x', 'y'])", df=INTEGERS)
    agree(f"lib.Series(np.array({value}), index=['x', 'y'])", df=INTEGERS)


NO_DIMENSION = {
    "integer": (pd.Series([1, 2, 3]), np.array(3)),
    "narrow integer": (pd.Series([1, 2, 3], dtype="int16"), np.array(3, dtype="int8")),
    "float": (pd.Series([1.5, None, 3.5]), np.array(2.5)),
    "truth": (pd.Series([True, False]), np.array(True)),
}


@pytest.mark.parametrize("name", NO_DIMENSION)
@pytest.mark.parametrize(
    "change",
    [
        "s[0] = value",
        "s.loc[0] = value",
        "s.iloc[0] = value",
        "s.at[0] = value",
        "s.loc[[0, 1]] = value",
        "s.iloc[0:2] = value",
        "s.loc[s == s.iloc[0]] = value",
        "s = s + value",
        "s = value + s",
        "s = s == value",
        "s = s.eq(value)",
        "s = s.fillna(value)",
        "s = s.to_frame('t').fillna({'t': value})",
        "s = s.where(s == s.iloc[0], value)",
        "s = s.mask(s == s.iloc[0], value)",
        "s = s.replace(s.iloc[0], value)",
        "s = s.replace(value, s.iloc[0])",
        "s = s.to_frame('t').assign(u=value)",
        "s = s.to_frame('t') == value",
    ],
)
def test_arrays_of_no_dimension_are_their_element(name, change):
    series, value = NO_DIMENSION[name]

    def run(lib, s):
        names = {"lib": lib, "s": s, "value": value}
        exec(change, names)
        return names["s"]

    agree(run, s=series)


def test_arrays_of_no_dimension_of_texts_and_times():
    """pandas fails with an `AssertionError`, or says that times are too fine."""
    texts = cp.Series(["a", None])
    assert texts.fillna(np.array("c")).to_list() == ["a", "c"]
    assert texts.fillna(np.array("c", dtype=object)).to_list() == ["a", "c"]
    times = cp.Series(pd.to_datetime(["2020", None]))
    day = np.datetime64("2021-01-01", "s")
    assert times.fillna(np.array(day)).to_list() == [pd.Timestamp("2020"), pd.Timestamp("2021")]
    with pytest.raises(TypeError):
        cp.Series([1, None]).fillna(np.array("c"))
    itself = np.array(None, dtype=object)
    itself[()] = itself
    with pytest.raises(TypeError, match="ndarray"):
        texts.fillna(itself)


def test_lists_of_arrays_of_no_dimension_are_of_objects():
    agree(lambda lib: lib.Series([np.array(1), np.array(2)]).to_list())
    agree(lambda lib: str(lib.Series([np.array(1), np.array(2)]).dtype))


@pytest.mark.parametrize(
    "statement",
    [
        # What is set.
        "s = lib.Series([1, 2], dtype='float32')\ns[2] = 1e300\ns",
        "s = lib.Series([1, 2])\ns[[True, False]] = [7, 8]\ns",
        "s = lib.Series([1, 2])\ns[[False, False]] = 'x'\ns",
        "d = lib.DataFrame(index=lib.Index([], name='n'))\nd['a'] = lib.Series(1.5, [3, 4])\nd",
        "d = lib.DataFrame(columns=['A'])\nd['B'] = lib.Series([1, 2], [3, 4])\nd[['B']]",
        "d = lib.DataFrame(columns=['A'])\nd.loc[:, 'B'] = lib.Series([1, 2])\nd[['B']]",
        "d = levels.T\nd['z'] = d['x'][[1]] * 2\nd['z'] = d['x'][[1]] * 3\nd",
    ],
)
def test_assigned_elements_are_those_of_pandas(statement):
    agree(statement, **SMALL)


def test_a_truth_value_is_a_label_of_truth_values() -> None:
    agree("s = lib.Series([1, 2], index=[True, False])\ns.loc[True] = 5\ns", **SMALL)


def test_a_mask_sets_columns_of_one_label() -> None:
    agree("twice[twice > 2] = 7\ntwice", **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        # A truth value is the label of no row of others.
        ("df.loc[True] = 0\ndf", KeyError, "cannot use a single bool to index into setitem"),
        ("df.loc[False, 'a'] = 0\ndf", KeyError, "cannot use a single bool to index into setitem"),
        ("s = df['a']\ns[True] = 0\ns", KeyError, "cannot use a single bool to index into setitem"),
    ],
)
def test_a_truth_value_is_the_label_of_no_row_of_others(
    program: str, error: type[Exception], text: str
) -> None:
    agree(program, refused=(error, text), **SMALL)


def test_a_scalar_makes_no_rows():
    agree(
        lambda lib: written(lib, "loc", (slice(None), "b"), 1, lib.DataFrame({"a": []})),
        refused=(ValueError, "cannot set a frame with no defined index and a scalar"),
    )


@pytest.mark.parametrize("write", ["loc", "at", "brackets"])
def test_a_tuple_of_one_label_is_the_label(write: str) -> None:
    written = []
    for lib in (cuprum, pd):
        series = lib.Series([1, 2], index=["a", "b"])
        target = series if write == "brackets" else getattr(series, write)
        target[("a",)] = 5
        if write != "brackets":
            assert target[("a",)] == 5
        written.append(series.to_dict())
    assert written[0] == written[1] == {"a": 5, "b": 2}


@pytest.mark.parametrize(
    "code",
    [
        # A frame without rows takes those of what it is given.
        "df[:0].assign(a=[1.0, 2.0])",
        "df[:0].rename_axis('n').assign(c=lib.Series([1.0, 2.0], index=['x', 'y']))",
        "df.iloc[:0][['b', 'a']].assign(c=[]).columns",
        "lib.DataFrame(index=lib.date_range('2020-01-01', periods=2))[:0].assign(c=1).index.dtype.kind",
    ],
)
def test_a_frame_without_rows_takes_those_that_it_is_given(code):
    agree(code, df=FLOATS)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        (
            "df.loc.__setitem__((df.a > 1, ['b', 'a', 'b']), df.set_axis(['x', 'y'], axis=1)[['x', 'y', 'x']].set_axis(list('bab'), axis=1))",
            ValueError,
            "non-unique columns",
        ),
    ],
)
def test_a_frame_is_not_set_to_columns_that_repeat(code, error, message):
    for lib, df in ((pd, FLOATS.copy()), (cuprum, ours(FLOATS))):
        with warnings.catch_warnings(), pytest.raises(error, match=message):
            warnings.simplefilter("ignore")
            eval(code, {"lib": lib, "df": df})


BELOW_LABELS = pd.DataFrame(
    [[1, 2, 3], [4, 5, 6]], columns=pd.MultiIndex.from_tuples([("u", "a"), ("u", "b"), ("v", "a")])
)


@pytest.mark.parametrize("value", [9, [7, 8], "series", "frame", "turned"])
def test_columns_below_a_label_are_set(value):
    def run(lib, df):
        given = {
            "series": lambda: lib.Series([7, 8]),
            "frame": lambda: lib.DataFrame({"a": [7, 8], "b": [5, 6]}),
            "turned": lambda: lib.DataFrame({"b": [7, 8], "a": [5, 6]}),
        }
        df["u"] = given[value]() if isinstance(value, str) else value
        return df

    agree(run, df=BELOW_LABELS)


@pytest.mark.parametrize("labels", [["a", "b"], ["x", "y"]])
def test_a_series_gives_one_element_to_each_of_several_columns(labels):
    def run(lib, df):
        df[labels] = lib.Series([7, 8])
        return df

    agree(run, df=FOUR_ROWS)
    for value, error in [([7, 8, 9], ValueError), ({"a": 1, "b": 2}, KeyError)]:
        for lib in (cuprum, pd):
            frame = lib.DataFrame(FOUR_ROWS)
            with pytest.raises(error):
                frame[labels] = lib.Series(value)
    mine = cuprum.DataFrame(FOUR_ROWS)
    with pytest.raises(TypeError):
        mine[labels] = {"a": 1, "b": 2}


SQUARE = pd.DataFrame({"x": [1, 2, 3], "y": [4, 5, 6]})


@pytest.mark.parametrize("row", ["loc[1]", "loc[1, ['y', 'x']]", "loc[1, :]", "iloc[1]"])
@pytest.mark.parametrize("value", ["{'x': 7, 'y': 8}", "{'y': 8, 'x': 7}", "[7, 8]", "np.array([7, 8])", "9"])
def test_a_row_is_set(row, value):
    agree(frame_after(f"df.{row} = {value}"), df=SQUARE)


TEXTS = pd.DataFrame({"x": ["a", "b", "c"], "y": ["d", "e", None]})


@pytest.mark.parametrize("row", ["loc[1]", "iloc[1]", "loc[1, ['y', 'x']]", "loc[1, lambda d: ['x', 'y']]"])
@pytest.mark.parametrize(
    "value", ["{'x': 'u', 'y': 'v'}", "{'y': 'v', 'x': 'u'}", "{'y': 'v'}", "{'y': 'v', 'z': 'w'}", "{}"]
)
def test_a_row_of_texts_is_set_to_the_values_of_a_dict_not_its_keys(row, value):
    agree(frame_after(f"df.{row} = {value}"), df=TEXTS)


THREE_TYPES = pd.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"], "f": [0.5, None, 2.5]})


@pytest.mark.parametrize(
    "statement",
    [
        "df.loc[1] = {'x': 5, 's': 'q', 'f': None}",
        "df.iloc[1] = {'x': 5, 's': 'q', 'f': 1.5}",
        "df.iloc[1] = df.iloc[0]",
        "df.loc[1] = df.loc[2]",
        "df.iloc[[0, 1]] = df.iloc[[1, 2]]",
        "df.iloc[0:2] = df.iloc[1:3]",
        "df.loc[[0, 1]] = df.loc[[1, 0]]",
        "df.iloc[[0, 2], [0, 2]] = [[7, 8.5], [9, 10.5]]",
    ],
)
def test_rows_of_unlike_types_are_set(statement):
    agree(frame_after(statement), df=THREE_TYPES)


@pytest.mark.parametrize("where", ["loc[0:1, 'x']", "loc[[0, 1], ['x', 'y']]", "loc[df.x < 3, :]"])
@pytest.mark.parametrize("index", ["[1, 0]", "[0, 1]", "[1, 0, 5]"])
def test_rows_by_label_are_matched_with_a_series(where, index):
    value = f"lib.Series(range(10, 10 + len({index})), index={index})"
    agree(frame_after(f"df.{where} = {value}"), df=SQUARE)


@pytest.mark.parametrize(
    "where", ["loc[0:1]", "loc[[0, 1]]", "loc[df.x < 3]", "loc[0:1, :]", "loc[[0, 1], ['x', 'y']]"]
)
@pytest.mark.parametrize("index", ["[0, 1]", "[1, 0]"])
def test_rows_by_label_are_matched_with_a_frame(where, index):
    value = f"lib.DataFrame({{'y': [10, 20], 'x': [30, 40]}}, index={index})"
    agree(frame_after(f"df.{where} = {value}"), df=SQUARE)


@pytest.mark.parametrize(
    "statement",
    [
        "df.iloc[[0, 1]] = lib.Series([10, 20], index=[1, 0])",
        "df.iloc[0:2] = lib.Series([10, 20], index=[7, 8])",
        "df.loc[[0, 1]] = lib.Series([10, 20], index=[1, 0])",
        "df.loc[[0, 1]] = {0: 10, 1: 20}",
        "df.loc[df > 1] = lib.Series([10, 20, 30], index=[2, 1, 0])",
        "df.iloc[0] = lib.Series([10])",
    ],
)
def test_elements_of_a_series_are_set(statement):
    agree(frame_after(statement), df=pd.Series([1, 2, 3]))


@pytest.mark.parametrize("where", ["loc[0:1]", "loc[[1]]", "loc[df.x < 3]", "iloc[0:2]"])
def test_several_rows_of_no_columns_are_not_set_to_a_dict(where):
    with pytest.raises(ValueError, match="name them"):
        frame_after(f"df.{where} = {{'x': 7, 'y': 8}}")(cuprum, df=ours(SQUARE))


def test_levels_in_another_order_than_theirs_are_not_set():
    agree("df.loc[(['b', 'a'], [2]), :]", df=CROSSED)
    mine = ours(CROSSED)
    with pytest.raises(NotImplementedError, match="order"):
        mine.loc[(["b", "a"], [2]), :] = 0
    for df in (CROSSED, ours(CROSSED)):
        with pytest.raises(KeyError):
            df.loc[("q", slice(None)), :]


@pytest.mark.parametrize(
    ("loc", "error", "text"),
    [
        (-1, ValueError, "`loc` is -1: give a position from 0 to 2"),
        (-2, ValueError, "`loc` is -2"),
        (-3, IndexError, "index -3 is out of bounds"),
        (3, IndexError, "index 3 is out of bounds"),
        (True, TypeError, "loc must be int, not True"),
        ("a", TypeError, "loc must be int, not 'a'"),
        (1.0, TypeError, "loc must be int, not 1.0"),
    ],
)
def test_positions_of_new_columns_are_checked(loc, error, text):
    agree(f"df.insert({loc!r}, 'c', 0)", df=pd.DataFrame({"a": [1], "b": [2]}), refused=(error, text))


@pytest.mark.parametrize("loc", [0, 2, np.int64(1)])
def test_new_columns_stand_before_a_position(loc):
    agree(lambda lib, df: (df.insert(loc, "c", 0), df)[1], df=pd.DataFrame({"a": [1], "b": [2]}))
