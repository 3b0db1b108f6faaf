"""Selecting rows and columns: masks, loc, iloc, at, iat."""

import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, frames, given

LABELLED = pd.DataFrame(
    {"i": range(6), "f": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "s": list("uvwxyz")}, index=list("abcdef")
)
REPEATED = pd.DataFrame({"i": range(5)}, index=["x", "y", "x", "z", "y"])
NUMBERED = pd.DataFrame({"i": range(5), "s": list("abcde")}, index=[10, 20, 30, 40, 50])
NESTED = pd.DataFrame(
    {"k": ["a", "a", "b", "b"], "n": [1, 2, 1, 2], "v": [1.0, 2.0, 3.0, 4.0]},
).set_index(["k", "n"])
TIMED = pd.DataFrame(
    {"v": range(4)}, index=pd.to_datetime(["2013-01-01", "2013-01-02", "2013-02-01", "2014-01-01"])
)


@pytest.mark.parametrize(
    "expression",
    [
        "df[df.i > 2]",
        "df[(df.i > 1) & (df.f < 4) | (df.s == 'u')]",
        "df[~(df.i > 2)]",
        "df[[True, False, True, False, True, False]]",
        "df[np.array([True, False, True, False, True, False])]",
        "df[1:3]",
        "df[::2]",
        "df['b':'d']",
        "df.i[df.i > 2]",
        "df.i['b']",
        "df.i[['b', 'a']]",
        "df.query('i > 2') if hasattr(df, 'query') and lib.__name__ == 'pandas' else df[df.i > 2]",
        "df.loc['b', 'i']",
        "df.loc['b':'d']",
        "df.loc['b':]",
        "df.loc[:'c', 'f']",
        "df.loc[['e', 'a'], ['s', 'i']]",
        "df.loc[df.i > 2, 's']",
        "df.loc[df.i > 2, ['s']]",
        "df.loc[:, 'i':'f']",
        "df.loc[:, ['f']]",
        "df.loc[:, [True, False, True]]",
        "df.loc[lambda d: d.i == 3]",
        "df.loc['zz':]",
        "df.loc[[]]",
        "df.i.loc['c']",
        "df.i.loc['c':'e']",
        "df.i.loc[['c', 'a']]",
        "df.iloc[0, 0]",
        "df.iloc[-1, -1]",
        "df.iloc[1:3]",
        "df.iloc[-2:]",
        "df.iloc[::-1]",
        "df.iloc[5:1:-2]",
        "df.iloc[[3, 0, -1]]",
        "df.iloc[:, 1]",
        "df.iloc[:, [2, 0]]",
        "df.iloc[1:4, 0:2]",
        "df.iloc[[True] * 3 + [False] * 3]",
        "df.iloc[100:]",
        "df.i.iloc[2]",
        "df.i.iloc[-1]",
        "df.i.iloc[1:3]",
        "df.i.iloc[[0, 0]]",
        "df.at['b', 's']",
        "df.iat[1, 1]",
        "df.i.at['b']",
        "df.i.iat[1]",
        "df.take([2, 0])",
    ],
)
def test_labelled(expression):
    agree(expression, df=LABELLED)


@pytest.mark.parametrize("expression", ["df.loc['b']", "df.iloc[0]", "df.iloc[-1]"])
def test_one_row_of_one_type(expression):
    agree(expression, df=LABELLED[["i", "f"]].astype(float))


@pytest.mark.parametrize(
    "expression",
    ["df.loc['x']", "df.loc[['y', 'x']]", "df.loc['z']", "df.loc['x', 'i']", "df.i.loc['x']", "df.drop('x')"],
)
def test_repeated_labels(expression):
    agree(expression, df=REPEATED)


@pytest.mark.parametrize(
    "expression",
    [
        "df.loc[20:40]",
        "df.loc[15:45]",
        "df.loc[[50, 10]]",
        "df.loc[10, 's']",
        "df.iloc[1:2]",
        "df.loc[df.i > 3]",
    ],
)
def test_numbered(expression):
    agree(expression, df=NUMBERED)


@pytest.mark.parametrize(
    "expression",
    [
        "df.loc[('a', 2), 'v']",
        "df.loc['a']",
        "df.loc[('b', 1)]",
        "df.iloc[1:3]",
        "df.reset_index()",
        "df.reset_index('n')",
        "df.index.get_level_values('k')",
        "df.index.get_level_values(1)",
        "df.index.names",
        "df.index.nlevels",
        "df[df.v > 1]",
        "df.sort_index(ascending=False)",
    ],
)
def test_nested(expression):
    if expression == "df.index.names":
        agree("list(df.index.names)", df=NESTED)
    else:
        agree(expression, df=NESTED)


@pytest.mark.parametrize(
    "expression", ["df.loc['2013-01-02':'2014-01-01']", "df.loc[df.index > '2013-01-15']"]
)
def test_times(expression):
    agree(expression, df=TIMED)


bound = st.one_of(st.none(), st.integers(-15, 15))


@given(
    frames(i="int?", f="float?", s="str?", t="time?", b="bool?"),
    bound,
    bound,
    st.sampled_from([None, 1, 2, -1, -3]),
)
def test_iloc_slices(f, start, stop, step):
    shown = ":".join("" if x is None else str(x) for x in (start, stop, step))
    agree(f"df.iloc[{shown}]", df=f, kept=True, signs=True)
    agree(f"df['s'].iloc[{shown}]", df=f)


@given(frames(i="int?", f="float?", s="str?", min_rows=1), st.data())
def test_iloc_lists_and_loc_lists(f, data):
    rows = len(f.theirs)
    at = data.draw(st.lists(st.integers(-rows, rows - 1), max_size=20))
    agree(f"df.iloc[{at}]", df=f, kept=True, signs=True)
    labels = [i % rows for i in at]
    agree(f"df.loc[{labels}]", df=f, kept=True)
    if labels:
        agree(f"df.loc[{min(labels)}:{max(labels)}, ['s', 'i']]", df=f, kept=True)


@given(frames(i="int?", f="float?", s="str?", t="time?"))
def test_filter(f):
    for mask in (
        "df.i > 0",
        "df.f <= 1.5",
        "df.s == 'a'",
        "df.s != 'a'",
        "df.t >= '2000-02-29'",
        "df.f.isna()",
    ):
        agree(f"df[{mask}]", df=f, kept=True, signs=True)
        agree(f"df[~({mask})]", df=f, kept=True)
    agree("df[(df.i > 0) & (df.f < 1) | df.s.isna()]", df=f, kept=True)
    agree("df[df.i.isin([1, 2]) ^ df.f.notna()]", df=f, kept=True)
    agree("df[df.s.isin(['a', 'é', '日本'])]", df=f, kept=True)


@given(frames(k="int", v="float?"), st.integers(-4, 4), st.integers(-4, 4))
def test_loc_slices_of_sorted_labels(f, low, high):
    agree(f"df.set_index('k').sort_index(kind='stable').loc[{low}:{high}]", df=f)


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("df['nope']", KeyError),
        ("df[['i', 'nope']]", KeyError),
        ("df.loc['nope']", KeyError),
        ("df.loc[['a', 'nope']]", KeyError),
        ("df.loc['a', 'nope']", KeyError),
        ("df.iloc[6]", IndexError),
        ("df.iloc[-7]", IndexError),
        ("df.iloc[[0, 6]]", IndexError),
        ("df.iloc[0, 3]", IndexError),
        ("df[[True, False]]", (ValueError, IndexError)),
        ("df.drop(columns='nope')", KeyError),
        ("df.drop('nope')", KeyError),
        ("df.nope", AttributeError),
        ("df.set_index('nope')", KeyError),
        ("df.iloc['a']", (TypeError, ValueError, IndexError)),
    ],
)
def test_errors(expression, error):
    from oracle import ours, run

    with pytest.raises(error):
        run(expression, pd, {"df": LABELLED})
    with pytest.raises(error):
        run(expression, __import__("cuprum"), {"df": ours(LABELLED)})
