"""Keys of groups: columns, levels, functions, lists, mappings and `Grouper`."""

import collections

import pandas as pd
import pytest
from oracle import SMALL, agree, ours

import cuprum


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.groupby(level=5)", ValueError, "level > 0 or level < -1 only valid with MultiIndex"),
        ("df.groupby(level='z')", ValueError, "level name z is not the name of the index"),
        (
            "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).groupby(level=2)",
            IndexError,
            "Too many levels: Index has only 2 levels, not 3",
        ),
    ],
)
def test_levels_that_are_not_there_are_refused(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


MOMENTS = pd.DataFrame(
    {"t": pd.to_datetime(["2020-01-04 05:00", "2020-01-01 07:00", "2020-01-04 09:00"]), "v": [1, 1, 2]}
)


@pytest.mark.parametrize("listed", [False, True])
def test_groups_of_bins_are_labelled_by_their_bins(listed):
    for code in ["g['v'].value_counts()", "g.value_counts()", "g['v'].rolling(2).sum()"]:

        def run(lib, df, code=code):
            by = lib.Grouper(key="t", freq="D")
            return eval(code, {"g": df.groupby([by] if listed else by)})

        agree(run, df=MOMENTS)
    # Bins without rows count.
    agree(lambda lib, df: df.groupby(lib.Grouper(key="t", freq="D")).ngroup().to_list(), df=MOMENTS)


THREE_LEVELS = pd.Series(
    [10.0, 20.0, 30.0, 40.0],
    index=pd.MultiIndex.from_tuples([(2, "a", 9), (1, "c", 8), (2, "c", 9), (1, "c", 9)], names=list("xyz")),
)


def test_keys_made_of_the_labels_of_levels():
    frame = THREE_LEVELS.to_frame("v")
    agree("df.groupby({9: 'p', 8: 'q'}, level='z').sum()", df=frame)
    agree("df.groupby([lambda x: -x, {'a': 1, 'c': 1}], level=['x', 'y']).sum()", df=frame)
    with pytest.raises(NotImplementedError, match="takes functions, mappings and series"):
        ours(frame).groupby("v", level="x")
    with pytest.raises(NotImplementedError, match="1 keys in `by` for 2 levels"):
        ours(frame).groupby(lambda x: x, level=["x", "y"])


WITH_GAPS = pd.DataFrame({"g": list("aab"), "z": ["q", None, "r"], "n": [1.5, None, 2]})


def test_missing_keys_are_the_last_labels_of_their_level():
    sums = cuprum.from_pandas(WITH_GAPS).groupby(["z", "g"], dropna=False).n.sum()
    assert [list(codes) for codes in sums.index.codes] == [[0, 1, 2], [0, 1, 0]]
    agree("df.groupby(['z', 'g'], dropna=False).n.sum().index.to_frame()", df=WITH_GAPS)
    agree("df.groupby(['g', 'z'], dropna=False).n.sum().loc['a']", df=WITH_GAPS)
    # A missing one makes objects of texts that are column labels.
    agree("df.groupby(['g', 'z'], dropna=False).n.sum().unstack()", df=WITH_GAPS, column_labels=object)
    agree("df.groupby(['g', 'z'], dropna=False).n.sum().reset_index()", df=WITH_GAPS)


@pytest.mark.parametrize(
    "expression",
    [
        "df.groupby(df.a % 2).sum()",
        "df.groupby(df.a > 1).mean()",
        "df.groupby([df.a % 2, 'v']).sum()",
        "df.groupby(df.a).sum()",
        "df.groupby('a').sum()",
        "df.groupby(['a']).v.sum()",
        "df.groupby(df.a % 2)['a'].sum()",
        "df.set_index('a', drop=False).groupby(level='a').sum()",
        "df.groupby(df.a.rename('q')).sum()",
    ],
)
def test_a_key_that_only_has_the_name_of_a_column_is_no_column(expression):
    agree(expression, df=pd.DataFrame({"a": [1, 1, 2], "v": [3, 4, 5]}))


@pytest.mark.parametrize("keys", [[1, 1, 2, 2], ["x", "y", "x", "y"], [0.5, 0.5, 1.5, 1.5]])
def test_a_list_with_a_key_for_each_row(keys):
    agree(f"df.groupby({keys}).sum()", df=pd.DataFrame({"a": [1, 2, 3, 4]}))
    agree(f"s.groupby({keys}).sum()", s=pd.Series([1, 2, 3, 4]))


def test_a_list_of_labels_as_long_as_the_frame():
    agree("df.groupby(['a', 'b']).size()", df=pd.DataFrame({"a": [1, 1], "b": [3, 4]}))
    with pytest.raises(KeyError):
        cuprum.DataFrame({"a": [1, 1], "b": [3, 4]}).groupby(["a", "c"])


KEYED = pd.DataFrame(
    {"k": ["b", "a", "b", None], "v": [1, 2, 4, 8], "w": [0.5, None, 1.5, 2.5]},
    index=pd.Index(["p", "q", "p", "r"], name="row"),
)


@pytest.mark.parametrize(
    "by",
    [
        "'row'",
        "['k', 'row']",
        "level='row'",
        "level=0",
        "{'p': 1.0, 'q': 2.0}",
        "lambda label: label in ('p', 'r')",
        "str.upper",
        "lib.Series([3.0, 4, 5], index=['r', 'q', 'p'])",
        "lib.Series([3.0, 4], index=['r', 'q'], name='v')",
        "[True, False, True, False]",
        "df.v % 2",
        "[df.k, {'p': 'x', 'q': 'y', 'r': 'y'}]",
    ],
)
def test_keys_of_every_kind(by):
    if "Series" in by and "index" in by:
        frame = KEYED.set_axis(["p", "q", "s", "r"])  # labels that repeat are not looked up
    else:
        frame = KEYED
    agree(f"df.groupby({by})[['v', 'w']].sum()", df=frame)
    agree(f"df.w.groupby({by}).count()", df=frame) if "'k'" not in by else None


@pytest.mark.parametrize(
    ("by", "error"),
    [
        ("'nope'", KeyError),
        ("['k', 'nope']", KeyError),
        ("[1, 2, 3, 4, 5]", (KeyError, ValueError)),
        ("lib.Index([1, 2])", ValueError),
        ("[]", ValueError),
    ],
)
def test_keys_of_groups_that_are_refused(by, error):
    for lib in (pd, cuprum):
        with pytest.raises(error):
            lib.DataFrame(KEYED if lib is pd else cuprum.from_pandas(KEYED)).groupby(
                eval(by, {"lib": lib})
            ).sum()


def test_a_name_of_a_level_and_of_a_column_is_neither():
    frame = KEYED.assign(row=1)
    for df in (frame, cuprum.from_pandas(frame)):
        with pytest.raises(ValueError, match="ambiguous"):
            df.groupby("row").sum()


def test_numbers_are_no_levels_of_a_series():
    for lib in (pd, cuprum):
        with pytest.raises(KeyError):
            lib.Series([1, 2], index=["a", "b"]).groupby(0).sum()


def test_mappings_with_defaults_are_keys():
    keys = collections.defaultdict(int, p=1)
    with pytest.raises(NotImplementedError, match="defaultdict"):
        cuprum.from_pandas(KEYED).groupby(keys).sum()
    assert cuprum.Series(["p", "q"]).map(keys).to_list() == [1, 0]


CALLED = pd.DataFrame({"s": list("baab"), "k": [1, 1, 2, 2], "a": [3, 1, 3, 1]})


def test_a_tuple_is_one_label():
    """As for columns; a list has several keys."""
    for df in (CALLED, ours(CALLED)):
        for grouped in (df, df["a"], df.set_index(["s", "k"])):
            with pytest.raises(KeyError):
                grouped.groupby(("s", "k"))


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('s').s.value_counts()",
        "df.groupby('s', as_index=False).s.value_counts()",
        "df.groupby(['s', 'k']).s.value_counts()",
        "df.groupby('s', sort=False).s.value_counts()",
        "df.groupby(['k', 'k'], as_index=False).sum(numeric_only=True)",
        "df.groupby(df.a % 2, as_index=False).agg({'a': 'sum', 'k': ['min', 'max']})",
        "nested.groupby(('u', 'a'), as_index=False).agg(['sum', 'min'])",
        "nested.groupby(('u', 'a'), as_index=False).sum()",
    ],
)
def test_keys_beside_what_is_called_like_them(code):
    nested = pd.DataFrame(
        [[1, 2, 3], [1, 4, 5]],
        columns=pd.MultiIndex.from_tuples([("u", "a"), ("u", "b"), ("v", "a")], names=["L", "M"]),
    )
    agree(code, df=CALLED, nested=nested)


@pytest.mark.parametrize(
    "by", ["df['k']", "df['k'].to_numpy()", "['k']", "[df['k']]", "'k'", "pd.Index([1, 1, 2])"]
)
def test_keys_of_one_list_are_tuples(by):
    df = pd.DataFrame({"k": [1, 1, 2], "v": [1.0, 2, 3]})
    agree(lambda lib, df: [key for key, _ in df.groupby(eval(by, {"df": df, "pd": pd}))], df=df)
    name = "(1,)" if by.startswith("[") else "1"
    agree(lambda lib, df: df.groupby(eval(by, {"df": df, "pd": pd})).get_group(eval(name)), df=df)


@pytest.mark.parametrize(
    "key",
    [
        "[1, 'a', 1]",
        "np.array([1, 'a', 1], dtype=object)",
        "lambda i: [1, 'a', 1][i]",
        "['k', np.array([1, 'a', 1], dtype=object)]",
    ],
)
def test_keys_of_several_kinds(key):
    df = pd.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 4]})
    agree(f"df.groupby({key}, sort=False).v.sum()", df=df)
    if "'k'" not in key:
        agree(f"df.v.groupby({key}, sort=False).max()", df=df)


def test_keys_that_are_times_of_day():
    series = cuprum.Series(
        [1, 2, 4], index=pd.to_datetime(["2024-01-01 06:00", "2024-01-02 06:00", "2024-01-02 07:00"])
    )
    found = series.groupby(series.index.time).sum()
    assert found.tolist() == [3, 4]
    assert [label.hour for label in found.index] == [6, 7]


THREE_DAYS = pd.DataFrame(
    {
        "k": ["a", "b", "a"],
        "v": [1, 2, 3],
        "t": pd.to_datetime(["2023-01-01", "2023-01-02", "2023-01-02"]),
    }
)


@pytest.mark.parametrize(
    ("by", "name"),
    [
        ("k", "a"),
        (["k"], ("a",)),
        (["k", "v"], ("a", 1)),
        ("t", "2023-01-02"),
        ("t", "2023-01"),
        ("t", pd.Timestamp("2023-01-02")),
        (["k", "t"], ("a", "2023-01-01")),
        # None of these is a group.
        ("t", "2023-01-05"),
        ("t", "x"),
        ("k", "2023-01-01"),
        (["k"], "a"),
        (["k", "v"], "a"),
        (["k", "v"], ("a",)),
        (["k", "v"], ("a", 2)),
    ],
)
def test_get_group_by_name(by, name):
    def rows(lib, frame):
        return frame.groupby(by).get_group(name)

    try:
        rows(pd, THREE_DAYS)
    except (KeyError, ValueError) as error:
        kind = KeyError if isinstance(error, KeyError) else ValueError
        with pytest.raises(kind):
            rows(cuprum, cuprum.DataFrame(THREE_DAYS))
        return
    agree(rows, frame=THREE_DAYS)
