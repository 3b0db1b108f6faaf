"""Joins: rows, their order, labels and types as pandas gives them."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like, frames, given, ours
from small_frames import TWO_FRAMES, UNDER_INTEGERS

import cuprum

HOW = ["inner", "left", "right", "outer"]
KINDS = ["int", "int?", "str", "str?", "float?", "time", "time?", "bool"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", KINDS)
def test_one_key(how, kind):
    @given(frames(k=kind, a="float?", x="int"), frames(k=kind, b="str?", x="int"))
    def check(left, right):
        agree(f"l.merge(r, on='k', how='{how}')", l=left, r=right, kept="k")

    check()


@pytest.mark.parametrize("how", HOW)
@given(frames(k="int?", s="str?", a="float?"), frames(k="int?", s="str?", b="int32"))
def test_two_keys(how, left, right):
    agree(f"l.merge(r, on=['k', 's'], how='{how}')", l=left, r=right, kept="k")
    agree(f"lib.merge(l, r, on=['s', 'k'], how='{how}')", l=left, r=right, kept="k")


@pytest.mark.parametrize("how", HOW)
@given(frames(p="int", s="str?", v="float"), frames(q="int", s="str?", v="float"))
def test_keys_of_different_names(how, left, right):
    agree(f"l.merge(r, left_on='p', right_on='q', how='{how}')", l=left, r=right)
    agree(f"l.merge(r, left_on='p', right_on='q', how='{how}', suffixes=('', '_r'))", l=left, r=right)
    agree(f"l.merge(r, left_on=['p', 's'], right_on=['q', 's'], how='{how}')", l=left, r=right)


@pytest.mark.parametrize("how", HOW)
@given(frames(k="int?", a="float"), frames(k="int?", b="float"))
def test_indicator_and_sort(how, left, right):
    agree(f"l.merge(r, on='k', how='{how}', indicator=True)", l=left, r=right, kept="k")
    agree(f"l.merge(r, on='k', how='{how}', indicator='from')", l=left, r=right, kept="k")
    agree(f"l.merge(r, on='k', how='{how}', sort=True)", l=left, r=right, kept="k")


@given(frames(a="int?", s="str?", max_rows=6), frames(b="float?", s="str?", max_rows=6))
def test_cross(left, right):
    agree("l.merge(r, how='cross')", l=left, r=right, kept="a")


@pytest.mark.parametrize("how", HOW)
@given(frames(k="int", a="float"), frames(k="int32", b="float"), frames(k="float", c="int"))
def test_keys_of_different_widths(how, left, right, floats):
    # pandas' keys have the type of one side where no row has a partner.
    for right_side in (right, floats):
        agree(f"l.merge(r, on='k', how='{how}')", l=left, r=right_side, kept="k")


@pytest.mark.parametrize("how", HOW)
@given(frames(k="int", a="float", min_rows=1), frames(k="int", b="float", min_rows=1))
def test_indexes_of_merge(how, left, right):
    left = type(left)(left.ours.set_index("k"), left.theirs.set_index("k"))
    agree(f"l.merge(r, left_index=True, right_on='k', how='{how}')", l=left, r=right)
    right = type(right)(right.ours.set_index("k"), right.theirs.set_index("k"))
    agree(f"l.merge(r, left_index=True, right_index=True, how='{how}')", l=left, r=right)
    agree(f"l.join(r, how='{how}')", l=left, r=right)


LEFT = pd.DataFrame({"k": [2, 1, 3, 2], "s": ["b", "a", "c", None], "v": [1.0, 2.0, 3.0, 4.0]})
RIGHT = pd.DataFrame({"k": [2, 4, 2, 1], "s": ["x", None, "y", "z"], "w": [10, 20, 30, 40]})


@pytest.mark.parametrize(
    "expression",
    [
        "l.merge(r, on='k')",
        "l.merge(r)",
        "l.merge(r, on='k', suffixes=('_l', '_r'))",
        "l.merge(r, on='k', suffixes=(None, '_r'))",
        "l.merge(r[['k', 'w']], how='left')",
        "l.merge(r, left_on='v', right_on='w', how='outer')",
        "l.merge(r, on='k', how='right')",
        "l.merge(r.drop_duplicates('k'), on='k', validate='many_to_one')",
        "l.merge(r.drop(columns='k'), left_on='k', right_index=True)",
        "l.merge(r.drop(columns='k'), left_on='k', right_index=True, how='left')",
        "l.join(r, lsuffix='_l', rsuffix='_r')",
        "l.join(r.set_index('k'), on='k', lsuffix='_l')",
        "l.merge(r.iloc[:0], on='k', how='left')",
        "l.iloc[:0].merge(r, on='k', how='outer')",
        "l.iloc[:0].merge(r.iloc[:0], on='k')",
        "l.merge(r, on='k', how='left', indicator=True)['_merge'].astype(str).tolist()",
    ],
)
def test_spellings_of_merge(expression):
    agree(expression, l=LEFT, r=RIGHT)


def test_many_rows_of_merge():
    left = pd.DataFrame({"k": [i * 7919 % 30_011 for i in range(120_000)], "a": range(120_000)})
    right = pd.DataFrame({"k": [i * 31 % 40_009 for i in range(60_000)], "b": range(60_000)})
    for how in HOW:
        agree(f"l.merge(r, on='k', how='{how}')", l=left, r=right)
    left["s"], right["s"] = "k" + left["k"].astype(str), "k" + right["k"].astype(str)
    agree("l.merge(r, on='s', how='left')", l=left, r=right)
    agree("l.merge(r, on=['s', 'k'], how='inner')", l=left, r=right)


@pytest.mark.parametrize(
    ("expression", "error", "says"),
    [
        ("l.merge(r, on='nope')", KeyError, "nope"),
        ("l.merge(r, left_on='k', right_on='nope')", KeyError, "nope"),
        ("l.merge(r, on='k', how='sideways')", ValueError, "sideways"),
        ("l.merge(r, left_on=['k', 's'], right_on=['k'])", ValueError, ""),
        ("l[['v']].merge(r[['w']])", ValueError, "common"),
        ("l.merge(r, on='k', validate='one_to_one')", ValueError, ""),
        (
            "l.merge(r, left_on='s', right_on='k')",
            ValueError,
            "You are trying to merge on str and int64 columns.*astype",
        ),
        ("l.merge(r, how='cross', on='k')", ValueError, "cross"),
        ("l.merge(r, on='k', left_on='k')", (ValueError, TypeError), ""),
        ("l.merge(5)", TypeError, ""),
    ],
)
def test_errors_of_merge(expression, error, says):
    with pytest.raises(error, match=says or None):
        eval(expression, {"l": ours(LEFT), "r": ours(RIGHT)})


# Keys past 2**53 and 2**63.

LARGE = pd.DataFrame({"u": pd.Series([2**63 + 1, 2**62 + 1, 5], dtype="uint64"), "v": [1, 2, 3]})


def test_unsigned_keys_are_matched_exactly_with_signed_ones():
    signed = pd.DataFrame({"u": pd.Series([2**62, 2**62 + 1, 5], dtype="int64"), "w": [1, 2, 3]})
    left, right = ours(LARGE), ours(signed)
    assert left.merge(right, on="u")[["v", "w"]].to_dict("list") == {"v": [2, 3], "w": [2, 3]}
    assert right.merge(left, on="u", how="left").v.isna().tolist() == [True, False, False]
    indexed = left.set_index("u").v
    assert indexed.reindex(cuprum.Index([2**62, 2**62 + 1])).isna().tolist() == [True, False]
    assert indexed.loc[[5]].tolist() == [3]
    with pytest.raises(KeyError):
        indexed.loc[[2**62]]
    assert left.u.isin(right.u).tolist() == [False, True, True]
    assert (left.u == right.u).tolist() == [False, True, True]


def test_keys_that_no_integer_type_holds_are_refused():
    negative = ours(pd.DataFrame({"u": pd.Series([-1, 5], dtype="int64"), "w": [1, 2]}))
    with pytest.raises(ValueError, match="uint64 and int64"):
        ours(LARGE).merge(negative, on="u")
    with pytest.raises(TypeError, match="uint64"):
        ours(LARGE).set_index("u").v.reindex(cuprum.Index([-1, 5]))


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize("dtype", ["str", "float64", "datetime64[us]"])
def test_keys_of_an_empty_side_take_the_type_of_the_other(how, dtype):
    full = pd.DataFrame({"a": [1, 2], "x": [5, 6]})
    empty = pd.DataFrame({"a": pd.Series([], dtype=dtype), "y": pd.Series([], dtype="float64")})
    for left, right in ((full, empty), (empty, full)):
        agree(f"a.merge(b, on='a', how='{how}')", a=left, b=right)
        expected = left.merge(right, on="a", how=how)["a"].dtype
        assert str(cuprum.DataFrame(left).merge(cuprum.DataFrame(right), on="a", how=how)["a"].dtype) == str(
            expected
        )


HOWS = ["left", "right", "inner", "outer"]


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    "code",
    [
        "a.merge(b, left_on='v', right_index=True, how='{}')",
        "b.merge(a, right_on='v', left_index=True, how='{}')",
        "a.join(b, on='v', lsuffix='_l', rsuffix='_r', how='{}')",
        "a.merge(b[['z']], left_on='v', right_index=True, how='{}')",
        "b[['z']].merge(a, right_on='v', left_index=True, how='{}')",
    ],
)
def test_columns_beside_row_labels_of_their_name(how, code):
    a = pd.DataFrame({"v": [1, 2, 3], "w": [1.5, None, 2.5]})
    b = pd.DataFrame({"v": [10, 20, 30], "z": [1, 2, 3]}, index=[1, 2, 9])
    agree(code.format(how), a=a, b=b)


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("names", [("i", "j"), ("i", None), (None, "j"), ("i", "i")])
def test_names_of_joined_row_labels(how, names):
    a = pd.DataFrame({"a": [1, 2]}, index=pd.Index([0, 1], name=names[0]))
    b = pd.DataFrame({"b": [1, 2]}, index=pd.Index([1, 2], name=names[1]))
    agree(f"a.join(b, how='{how}')", a=a, b=b)
    agree(f"a.merge(b, left_index=True, right_index=True, how='{how}')", a=a, b=b)


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("other", [["x", "z"], pd.Categorical(["x", "w"]), pd.Categorical(["z", "x"])])
def test_keys_of_categories_that_the_other_side_has_not(how, other):
    a = pd.DataFrame({"k": pd.Categorical(["x", "z"]), "p": [1, 2]})
    b = pd.DataFrame({"k": other, "r": [1, 2]})
    agree(f"a.merge(b, on='k', how='{how}').astype({{'k': 'str'}})", a=a, b=b)
    mine = cuprum.DataFrame(a).merge(cuprum.DataFrame(b), on="k", how=how)["k"].dtype
    theirs = a.merge(b, on="k", how=how)["k"].dtype
    if how in ("left", "inner"):
        assert (mine == "category") == (theirs == "category")


def test_merge_keeps_names_of_column_levels_that_agree():
    a = pd.DataFrame({"k": ["x", "y"], "p": [1, 2]}).rename_axis("L", axis=1)
    agree("a.merge(a, on='k')", a=a)
    agree("a.join(a, rsuffix='_r')", a=a)
    agree("a.merge(a.rename_axis('M', axis=1), on='k')", a=a)


def test_keys_that_are_no_columns_are_refused_by_name():
    a = cuprum.DataFrame({"p": [1, 2]}, index=cuprum.Index(["x", "y"], name="ix"))
    with pytest.raises(NotImplementedError, match="index level as `left_on`"):
        a.merge(a, left_on="ix", right_index=True)


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
def test_the_indicator_is_a_category(how):
    left, right = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [2, 3]})
    agree(f"l.merge(r, how='{how}', indicator=True)['_merge'].cat.categories.tolist()", l=left, r=right)
    agree(f"l.merge(r, how='{how}', indicator=True)['_merge'].value_counts().sort_index()", l=left, r=right)


ANTI = {
    "left": pd.DataFrame({"k": [1, 2, 2, 5], "n": [1, 2, 3, 4], "a": [1, 1, 2, 2]}),
    "right": pd.DataFrame({"k": [2, 7], "n": [8, 9], "b": [3, 4]}),
}


@pytest.mark.parametrize(
    "code",
    [
        "left.merge(right, on='k', how='left_anti')",
        "left.merge(right, on='k', how='right_anti')",
        "left.merge(right, on='k', how='left_anti', indicator=True).astype({'_merge': 'str'})",
        "left.merge(right, on='k', how='right_anti', suffixes=('', '_r'))",
        "left.set_index('k').merge(right.set_index('k'), left_index=True, right_index=True, how='left_anti')",
        "left.join(right.set_index('k'), on='k', how='left_anti', lsuffix='l')",
        "left.merge(right, left_on='k', right_on='n', how='left_anti')",
    ],
)
def test_rows_without_a_match(code):
    agree(code, **ANTI)


def test_rows_without_a_match_take_what_they_honour():
    left, right = (ours(frame) for frame in ANTI.values())
    with pytest.raises(ValueError, match="overlap"):
        left.merge(right, on="k", how="left_anti", suffixes=("", None))
    with pytest.raises(ValueError, match="unique"):
        left.merge(right, on="k", how="left_anti", validate="1:1")
    assert list(left.merge(right, on="k", how="leftanti").columns) == ["k", "n", "a"]
    with pytest.raises(NotImplementedError, match="indicator"):
        left.merge(right, on="k", how="leftanti", indicator=True)


def test_suffixes_for_several_frames_are_refused():
    left, right = (frame.set_index("k") for frame in ANTI.values())
    for both in ((left, right), (ours(left), ours(right))):
        for suffix in ("lsuffix", "rsuffix"):
            with pytest.raises(ValueError, match="Suffixes not supported"), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # pandas deprecates them
                both[0].join([both[1][["b"]]], **{suffix: "_x"})


_LEFT = pd.DataFrame(
    {"A": [1, 2, 3], "key2": ["K0", "K1", "K0"]}, index=pd.Index(["K0", "K0", "K1"], name="key1")
)
_RIGHT = pd.DataFrame(
    {"C": [1, 2, 3], "key2": ["K0", "K0", "K1"]}, index=pd.Index(["K0", "K1", "K2"], name="key1")
)


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize(
    ("left", "right", "options"),
    [
        (_LEFT, _RIGHT, {"on": ["key1", "key2"]}),
        (_LEFT, _RIGHT, {"on": "key1"}),
        (_LEFT, _RIGHT.reset_index(), {"on": "key1"}),
        (_LEFT.reset_index(), _RIGHT, {"on": ["key2", "key1"]}),
        (_LEFT, _RIGHT.rename_axis("z"), {"left_on": "key1", "right_on": "z"}),
        (_LEFT, _RIGHT, {"left_on": "key1", "right_on": "key2"}),
        (_LEFT, _RIGHT, {"left_on": ["key2"], "right_on": ["key1"]}),
        (_LEFT, _RIGHT, {"left_on": ["key1", "key2"], "right_on": ["key1", "key2"]}),
        (_LEFT.set_index("A", append=True), _RIGHT, {"on": "key1"}),
        (
            _LEFT.set_index("key2", append=True),
            _RIGHT.set_index("key2", append=True),
            {"on": ["key2", "key1"]},
        ),
    ],
    ids=str,
)
def test_levels_as_keys(left, right, options, how):
    expected = left.merge(right, how=how, **options)
    assert_like(cuprum.DataFrame(left).merge(cuprum.DataFrame(right), how=how, **options), expected)


@pytest.mark.parametrize("how", ["inner", "left", "outer", "right"])
@pytest.mark.parametrize("repeated", [False, True])
def test_few_rows_with_many_of_which_few_have_a_partner(how, repeated):
    random = np.random.default_rng(4)
    keys = random.integers(0, 400_000, 300)
    few = pd.DataFrame({"k": np.append(keys, keys[:50]) if repeated else np.unique(keys)}).assign(x=1.5)
    many = pd.DataFrame({"k": random.integers(0, 400_000, 150_000), "y": range(150_000)})
    for left, right in [(few, many), (many, few)]:
        got = cuprum.DataFrame(left).merge(cuprum.DataFrame(right), on="k", how=how)
        pd.testing.assert_frame_equal(got.to_pandas(), left.merge(right, on="k", how=how), check_dtype=False)


# Missing keys of every type that has some, on both sides.
_MISSING = pd.to_datetime([None, "2024-01-02", None, "2024-01-05"])
_OTHERS = pd.to_datetime(["2024-01-01", None, "2024-01-05", None])
_KINDS = {
    "times": (_MISSING, _OTHERS),
    "instants": (_MISSING.tz_localize("UTC"), _OTHERS.tz_localize("UTC")),
    "durations": (_MISSING - pd.Timestamp("2024-01-01"), _OTHERS - pd.Timestamp("2024-01-01")),
    "categories": (
        pd.Categorical([None, "x", "z", "y"], categories=["z", "y", "x"]),
        pd.Categorical(["x", None, "y", None], categories=["z", "y", "x"]),
    ),
    "floats": ([None, 2.0, None, 5.0], [1.0, None, 5.0, None]),
    "texts": ([None, "b", None, "e"], ["a", None, "e", None]),
}


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("how", ["outer", "inner", "left", "right"])
@pytest.mark.parametrize("sort", [False, True])
def test_missing_keys_are_where_pandas_has_them(kind, how, sort):
    left, right = (pd.DataFrame({"k": keys, "j": [2, 1, 1, 2]}) for keys in _KINDS[kind])
    frames = {"left": left.assign(a=range(4)), "right": right.assign(b=range(4))}
    for on in ("'k'", "['k', 'j']", "['j', 'k']"):
        agree(f"left.merge(right, {how!r}, {on}, sort={sort})", **frames)
    agree(f"left.rename(columns={{'k': 'm'}}).merge(right, {how!r}, left_on='m', right_on='k', sort={sort})", **frames)  # fmt: skip
    if kind != "categories":
        agree(f"left.join(right.set_index('k')[['b']], on='k', how={how!r}, sort={sort})", **frames)
        agree(f"left.merge(right.set_index('k'), {how!r}, left_on='k', right_index=True, sort={sort})", **frames)  # fmt: skip
    if kind != "categories":
        agree(f"lib.merge_ordered(left, right, 'k', how={how!r}, fill_method={'ffill' if sort else None!r})", **frames)  # fmt: skip


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(("left", "right"), [("k", "s"), ("s", "k"), ("k", "t"), ("t", "s"), ("t", "k")])
def test_keys_that_do_not_compare(left, right, how):
    frame = pd.DataFrame({"k": [1, 2], "s": ["a", "b"], "t": pd.to_datetime(["2020", "2021"])})
    one, other = frame.dtypes[left], frame.dtypes[right]
    said = f"You are trying to merge on {one} and {other} columns for key '{left}'"
    for df in (frame, ours(frame)):
        with pytest.raises(ValueError, match=re.escape(said)):
            df.merge(df, left_on=left, right_on=right, how=how)
        with pytest.raises(ValueError, match="You are trying to merge on"):
            df.merge(df.set_index(right), left_on=left, right_index=True, how=how)


SALES = pd.DataFrame({"d": [1.2, 2.9, 5], "w": [7, 8, 9]})
NAMES = pd.DataFrame({"k": [1, 2, 9], "t": ["x", "y", "z"]}, index=[4, 5, 1])


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    "keys",
    [
        "left_on=a.d.astype(int), right_on='k'",
        "left_on=np.array([1, 2, 3]), right_on='k'",
        "left_on=np.array([1.5, 2, 3]), right_on='k', indicator=True",
        "left_on=lib.Index([1, 2, 3]), right_on='k', sort=True",
        "left_on='w', right_on=b.k + 6",
        "left_on=a.d.astype(int), right_on=b.k",
        "left_on=[a.d.astype(int), 'w'], right_on=['k', np.array([7, 8, 1])]",
        "left_on=['w', a.d.astype(int)], right_on=[b.k + 6, b.k]",
        "left_on=np.array([4, 1, 3]), right_index=True",
        "left_index=True, right_on=np.array([0, 1, 7])",
        "on=np.array([1, 2, 2])",
    ],
)
def test_arrays_are_keys(how, keys):
    agree(f"a.merge(b, how={how!r}, {keys})", a=SALES, b=NAMES)
    if "left_on=['w'" not in keys and "'w']" not in keys:  # both sides have a column of that name
        keys = keys.replace("'w'", "'k'")
        agree(f"a.rename(columns={{'w': 'k'}}).merge(b, how={how!r}, {keys})", a=SALES, b=NAMES)


def test_an_array_of_another_length_is_no_key():
    with pytest.raises(ValueError, match="array of 2 values for 3 rows"):
        cuprum.DataFrame(SALES).merge(cuprum.DataFrame(NAMES), left_on=np.array([1, 2]), right_on="k")


@pytest.mark.parametrize(
    "code",
    [
        "a.merge(b, left_index=True)",
        "a.merge(b, on='k', left_on='k')",
        "a.merge(b, left_on='d')",
        "a.merge(b, how='cross', on='k')",
        "a.assign(k_x=1, k_y=1).merge(b.assign(w=1, k_x=1), on='w')",
        "a.merge(b.set_axis(lib.MultiIndex.from_tuples([(0, 'k'), (0, 't')]), axis=1), left_index=True, right_index=True)",
    ],
)
def test_bad_keys_are_merge_errors(code):
    for lib in (pd, cuprum):
        with pytest.raises(pd.errors.MergeError):
            eval(code, {"lib": lib, "a": lib.DataFrame(SALES.assign(k=1)), "b": lib.DataFrame(NAMES)})


def test_keys_that_repeat_are_pandas_errors():
    left, right = cuprum.DataFrame({"k": [1, 1]}), cuprum.DataFrame({"k": [1], "v": [2]})
    with pytest.raises(pd.errors.MergeError, match="not unique in left"):
        left.merge(right, on="k", validate="1:1")
    with pytest.raises(pd.errors.MergeError, match="not unique in left"):
        left.set_index("k").join(right.set_index("k"), validate="1:1")
    with pytest.raises(pd.errors.MergeError, match="no common columns"):
        left.merge(right[["v"]])


@pytest.mark.parametrize(
    "code",
    [
        "a.merge(b, on='id', suffixes=('_a', '_a'))",
        "a.merge(b, on='id', suffixes=(1, 2))",
        "a.merge(b, on='id', indicator='')",
        "a.rename(columns={'id': 'v_y'}).merge(b, on='v')",
    ],
)
def test_suffixes_and_indicators_of_merges(code):
    agree(code, **TWO_FRAMES)


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        (
            "a.assign(_merge=1).merge(b, on='id', indicator=True)",
            ValueError,
            "Cannot use name of an existing column for indicator",
        ),
        (
            "a.merge(b, on='id', indicator='id')",
            ValueError,
            "Cannot use name of an existing column for indicator",
        ),
        ("a.assign(v_y=1).merge(b, on='id')", pd.errors.MergeError, "which cause duplicate columns 'v_y'"),
    ],
)
def test_merges_that_pandas_refuses(code, error, text):
    agree(code, refused=(error, text), **TWO_FRAMES)


def test_a_merge_with_no_rows_keeps_the_labels():
    agree("a.merge(b[:0], left_index=True, right_on='b', how='left')", a=UNDER_INTEGERS, b=UNDER_INTEGERS)


@pytest.mark.parametrize("suffixes", [(False, False), (None, False), ("", ""), (False, "_r"), ("_l", None)])
def test_suffixes_that_are_none(suffixes):
    sides = [pd.DataFrame({key: ["a", "b"], "v": [1, 2]}) for key in ("k", "q")]

    def labels(lib):
        left, right = map(lib.DataFrame, sides)
        return left.merge(right, left_on="k", right_on="q", suffixes=suffixes).columns.to_list()

    if any(suffixes):
        assert labels(cuprum) == labels(pd)
        return
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="columns overlap but no suffix specified"):
            labels(lib)
