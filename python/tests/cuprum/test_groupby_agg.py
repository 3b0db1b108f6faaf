"""`agg` of groups: names, functions and lists of them."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import agree
from pandas.errors import SpecificationError
from small_frames import FLOATS, SOME_MISSING, TWO_GROUPS, daily_floats, keyed_times

import cuprum

FUNCTIONS = [max, min, sum, len, np.std, np.var, np.nanstd, np.mean, np.max, np.median]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("how", ["agg", "apply", "transform"])
def test_functions_of_python_and_numpy_in_groups(function: Any, how: str) -> None:
    values = {
        "n": [np.nan, 1.0, 2.0, 3.0, np.nan, 5.0],
        "i": [3, 1, 2, 6, 5, 4],
        "c": pd.Categorical(list("xyxyxy"), categories=["y", "x"], ordered=True),
    }
    for column in values if function in (max, min) else ["n", "i"]:
        if column == "c" and how == "transform":
            continue  # of texts in pandas
        theirs, ours = (
            getattr(lib.DataFrame({"g": [1, 1, 1, 2, 2, 2], **values}).groupby("g")[column], how)(function)
            for lib in (pd, cuprum)
        )
        assert (
            ours.fillna(-1).to_list() == pytest.approx(theirs.fillna(-1).to_list())
            if column != "c"
            else (ours.to_list() == theirs.to_list())
        )


@pytest.mark.parametrize(
    "name", ["sum", "mean", "min", "first", "std", "median", "prod", "var", "sem", "skew"]
)
def test_numeric_only_of_groups_is_a_truth_value(name: str) -> None:
    for lib in (cuprum, pd):
        for groups in (keyed_times(lib)[["g", "v"]].groupby("g"), keyed_times(lib).groupby("g")["v"]):
            for given in ("x", None, 1):
                with pytest.raises(ValueError, match="numeric_only accepts only Boolean values"):
                    getattr(groups, name)(numeric_only=given)
            getattr(groups, name)(numeric_only=np.True_)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: daily_floats(lib)["a"].groupby([1, 1, 2]).agg({"a": "sum"}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict for groups of a series",
        ),
        pytest.param(
            lambda lib: daily_floats(lib).groupby([1, 1, 2])[["a"]].agg({"b": "sum"}),
            KeyError,
            "Label(s) ['b'] do not exist",
            id="a column that is not selected",
        ),
        pytest.param(
            lambda lib: daily_floats(lib).groupby([1, 1, 2])[["a"]].agg({"a": ["sum", "std"], "b": ["mean"]}),
            KeyError,
            "Label(s) ['b'] do not exist",
            id="several, one not selected",
        ),
        pytest.param(
            lambda lib: daily_floats(lib).groupby([1, 1, 2])[["a"]].agg(x=("b", "sum")),
            KeyError,
            "Label(s) ['b'] do not exist",
            id="a name for a column that is not selected",
        ),
    ],
)
def test_agg_of_groups_refuses_what_is_not_selected(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize("as_index", [True, False])
@pytest.mark.parametrize("functions", [[], {}])
def test_no_functions_leave_the_keys(functions: Any, as_index: bool) -> None:
    ours, theirs = (
        lib.DataFrame({"a": [1, 1, 2], "b": [3, 4, 5]}).groupby("a", as_index=as_index).agg(functions)
        for lib in (cuprum, pd)
    )
    assert ours.shape == theirs.shape
    assert ours.columns.to_list() == theirs.columns.to_list()
    assert ours.index.to_list() == theirs.index.to_list()


def test_what_is_selected_is_aggregated() -> None:
    agree(lambda lib: daily_floats(lib).groupby([1, 1, 2])[["a"]].agg({"a": "sum"}))
    agree(lambda lib: daily_floats(lib).groupby([1, 1, 2])[["a", "b"]].agg(x=("b", "sum")))
    agree(lambda lib: daily_floats(lib).groupby([1, 1, 2]).agg({"b": ["sum"]}))


def test_named_results_have_no_name_of_columns():
    agree("df.rename_axis(columns='m').groupby('k').agg(x=('v', 'sum'), y=('v', 'max'))", df=TWO_GROUPS)


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        (
            "df.groupby('a').agg(['min', 'min'])",
            SpecificationError,
            "Function names must be unique if there is no new column",
        ),
        ("df.groupby('a').agg({'b': {'x': 'sum'}})", SpecificationError, "nested renamer is not supported"),
    ],
)
def test_agg_of_groups_refuses_repeated_functions_and_nested_dicts(code, error, text):
    agree(code, refused=(error, text), df=FLOATS)


@pytest.mark.filterwarnings("ignore")
def test_results_of_functions_are_narrow_floats_where_those_are_near() -> None:
    values = np.array([1, 2, 3], "float32")
    for function in (lambda x: float(x.iloc[0]) / 3, lambda x: float(x.iloc[0]) * 1e300):
        agree(lambda lib, f=function: lib.Series(values).groupby([1, 1, 2]).agg(f))


KEYED = pd.DataFrame(
    {"k": ["b", "a", "b", None], "v": [1, 2, 4, 8], "w": [0.5, None, 1.5, 2.5]},
    index=pd.Index(["p", "q", "p", "r"], name="row"),
)


@pytest.mark.parametrize(
    "expression",
    [
        "g.sem()",
        "g.sem(ddof=0)",
        "g.v.sem()",
        "g.agg('sem')",
        "g.agg(['sem', 'std'])",
        "g.agg({'v': ['min', 'sum'], 'w': 'max'})",
        "g.agg({'v': 'min', 'w': 'max'})",
        "g.agg(low=('v', 'min'), high=('w', 'max'), again=('v', 'max'))",
        "g.w.agg(['min', 'max'])",
        "g.sum(min_count=2)",
        "g.w.sum(min_count=2)",
        "g.max(skipna=False)",
        "df.groupby('k', dropna=False)[['v', 'w']].sum(min_count=1)",
    ],
)
def test_agg_takes_names_lists_and_dicts(expression):
    agree(lambda lib, df: eval(expression, {"df": df, "g": df.groupby("k")}), df=KEYED)


WITH_NAME = pd.DataFrame({"k": ["x", "y", "x"], "p": [1, 2, 3], "q": [1.5, 2.5, 3.5]}).rename_axis(
    "L", axis=1
)


WITH_NAMES = pd.DataFrame(
    [[1, 2, 3, 4], [5, 6, 7, 8]],
    columns=pd.MultiIndex.from_product([["a", "b"], ["u", "v"]], names=["L", "N"]),
)


@pytest.mark.parametrize(
    "what",
    [
        "sum()",
        "agg('sum')",
        "agg(['sum', 'max'])",
        "first()",
        "transform('sum')",
        "cumsum()",
        "shift()",
        "rank()",
        "ffill()",
        "nunique()",
        "quantile()",
        "quantile([0.2, 0.5])",
        "diff()",
    ],
)
def test_names_of_column_levels_stay(what):
    agree(f"d.groupby('k').{what}", d=WITH_NAME)
    agree(f"d.groupby(np.array([1, 1])).{what}", d=WITH_NAMES)


@pytest.mark.parametrize("what", ["agg({'p': 'sum'})", "agg({'p': ['sum', 'max']})", "agg(x=('p', 'sum'))"])
def test_names_of_column_levels_of_chosen_columns(what):
    agree(f"d.groupby('k').{what}", d=WITH_NAME)


@pytest.mark.parametrize(
    "statement",
    ["g - g.mean()", "g / g.sum()", "g.mean() - g", "g > g.min()", "g - g.mean().iloc[::-1]"],
)
def test_hierarchical_columns_with_what_they_are_reduced_to(statement):
    def combine(lib, df):
        g = df.groupby("k").agg({"v": ["min", "max"], "n": ["sum"]})
        return eval(statement, {"g": g})

    agree(combine, df=SOME_MISSING)


@pytest.mark.parametrize("statement", ["df - df.mean()", "df / df.sum()", "df == df.max()"])
@pytest.mark.parametrize("labels", [[0, "a"], [0, 1], ["0", "a"], [("x", 0), ("x", 1)]])
def test_columns_of_any_labels_with_what_they_are_reduced_to(statement, labels):
    if isinstance(labels[0], tuple):
        labels = pd.MultiIndex.from_tuples(labels)
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 5.0]], columns=labels)
    agree(statement, df=frame)


def test_the_column_of_a_series_is_not_named_in_errors():
    with pytest.raises(TypeError) as caught:
        cuprum.Series([[1], [2]]).groupby([1, 1]).sum()
    assert "\0" not in str(caught.value)


def between(elements, low, high, **how):
    return elements.between(low, high, **how).sum()


def within(elements, low, high):
    return ((elements >= low) & (elements <= high)).sum()


def test_arguments_of_named_aggregations(each_call_warns):
    frame = cuprum.DataFrame({"k": [1, 1, 2], "a": [-1, 0, 1], "b": [10, 11, 12]})
    one = cuprum.NamedAgg("a", between, 0, 1)
    with pytest.warns(cuprum.errors.PerformanceWarning, match="^between is called for each group"):
        made = frame.groupby("k").agg(n=one, m=cuprum.NamedAgg("a", between, 0, 1, inclusive="left"))
    assert made.to_dict("list") == {"n": [1, 1], "m": [1, 0]}
    with pytest.warns(cuprum.errors.PerformanceWarning, match="^quantile is called for each group"):
        made = frame.groupby("k").agg(q=cuprum.NamedAgg("b", "quantile", 0.3))
    assert made.to_dict("list") == {"q": [10.3, 12.0]}
    made = frame.groupby("k").agg(s=cuprum.NamedAgg("b", within, low=10, high=11), m=("b", "max"))
    assert made.to_dict("list") == {"s": [2, 0], "m": [11, 12]}
    assert repr(cuprum.NamedAgg("b", "max")) == "NamedAgg(column='b', aggfunc='max')"
    assert pickle.loads(pickle.dumps(one)).aggfunc(frame["a"]) == 2
