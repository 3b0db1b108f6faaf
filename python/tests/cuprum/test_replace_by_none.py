"""What is replaced by None is None in lists, dicts, rows and arrays, as people want it before JSON and SQL."""

import pickle

import numpy as np
import oracle
import pandas as pd
import pytest

import cuprum

FRAME = pd.DataFrame(
    {
        "a": [1.5, None, 3.0],
        "b": ["x", None, "z"],
        "c": pd.to_datetime(["2024", "2025", None]),
        "i": [1, 2, 3],
        "k": pd.Categorical(["u", None, "u"]),
        "d": pd.to_timedelta([1, None, 3], unit="s"),
    },
    index=[3, 1, 2],
)


def same(code: str) -> None:
    """Check that both give the same objects, None where pandas gives None."""
    ours, theirs = (
        repr(eval(code, {"lib": lib, "df": lib.DataFrame(FRAME), "np": np, "pd": pd})) for lib in (cuprum, pd)
    )
    assert ours == theirs


REPLACED = [
    "df.replace({np.nan: None})",  "df.replace([np.nan], [None])",
    "df.replace({'a': {np.nan: None}})",  "df.replace({'a': np.nan}, None)",
    "df.replace({np.nan: None}).copy()", "df.replace({np.nan: None})[['a', 'b']]", "df.replace({3.0: None, np.nan: None})",
]  # fmt: skip


@pytest.mark.parametrize("replaced", REPLACED)
@pytest.mark.parametrize("code", [
    "to_dict('records')", "to_dict('list')", "to_dict()", "to_dict('index')", "to_dict('split')", "values.tolist()",
    "to_numpy().tolist()", "itertuples(index=False, name=None)", "itertuples()", "to_records(index=False).tolist()",
])  # fmt: skip
def test_frames_of_replaced_none(replaced: str, code: str) -> None:
    same(f"[*x] if hasattr(x := {replaced}.{code}, '__next__') else x")


@pytest.mark.parametrize("code", [
    "s.tolist()", "[*s]", "s.to_dict()", "s.values.tolist()", "s.to_numpy().tolist()", "[*s.items()]", "s.copy().tolist()",
])  # fmt: skip
@pytest.mark.parametrize("label", ["a", "b", "c", "k", "d"])
def test_series_of_replaced_none(label: str, code: str) -> None:
    for made in (f"df[{label!r}].replace({{np.nan: None}})", f"df.replace({{np.nan: None}})[{label!r}]"):
        same(f"[s := {made}, {code}][1:]")
    same(f"[[value for value in row] for _, row in df.replace({{np.nan: None}})[[{label!r}]].iterrows()]")


@pytest.mark.parametrize("missing", ["np.nan", "None", "pd.NA", "pd.NaT"])
@pytest.mark.parametrize("form", ["{{{0}: None}}", "[{0}], [None]"])
def test_every_missing_element_that_is_named_stands_for_all(missing: str, form: str) -> None:
    # pandas leaves NaN in some columns for some of these.
    frame = cuprum.DataFrame(FRAME[["a", "b"]])
    made = eval(f"frame.replace({form.format(missing)})", {"frame": frame, "np": np, "pd": pd})
    assert made.to_dict("list") == {"a": [1.5, None, 3.0], "b": ["x", None, "z"]}


@pytest.mark.parametrize("values", [["a", "b"], [1.0, 2.0], [1, 2], pd.to_datetime(["2024", "2025"])])
@pytest.mark.parametrize("form", ["x, None", "{x: None}", "[x], [None]", "[x], None"])
def test_elements_become_none(values: object, form: str) -> None:
    found = [
        eval(f"s.replace({form}).tolist()", {"s": lib.Series(values), "x": pd.Series(values)[0]})
        for lib in (cuprum, pd)
    ]
    assert repr(found[0]) == repr(found[1])


def test_one_missing_element_of_texts_is_what_is_missing_in_them() -> None:
    same("df.replace(np.nan, None).to_dict('list')")
    same("df.replace(np.nan, {'a': None, 'b': None}).to_dict('list')")


def test_what_was_missing_before_is_not_none_beside_other_values() -> None:
    same("[lib.Series([1.0, -1.0]).replace(-1, None).tolist(), lib.Series([1.0]).replace(-1, None).tolist()]")
    mixed = cuprum.Series([1.0, -1.0, None]).replace(-1, None).to_list()
    assert all(value != value for value in mixed[1:])  # pandas: None and NaN


def test_in_place_of_replaced_none() -> None:
    for lib in (cuprum, pd):
        frame = lib.DataFrame(FRAME)
        frame.replace({np.nan: None}, inplace=True)
        assert frame.to_dict("list")["a"] == [1.5, None, 3.0]
        frame["a"] = [np.nan, 2.0, 3.0]
        first, *rest = frame.to_dict("list")["a"]
        assert first != first
        assert rest == [2.0, 3.0]
        assert frame.to_dict("list")["b"] == ["x", None, "z"]


def test_all_else_is_as_before() -> None:
    frame = cuprum.DataFrame(FRAME.drop(columns="k"))
    made = frame.replace({np.nan: None})
    assert made.isna().equals(frame.isna())
    assert isinstance(made, cuprum.DataFrame)
    assert type(made).__name__ == "DataFrame"
    assert repr(made) == repr(frame.to_pandas().replace({np.nan: None}))
    assert made.to_pandas().dtypes.eq(object).sum() == 4
    oracle.agree("df.replace({np.nan: None}).isna()", df=FRAME)
    oracle.agree("df.replace({np.nan: None})['i'].sum()", df=FRAME)
    assert pickle.loads(pickle.dumps(made)).equals(made)
    assert cuprum.DataFrame.deserialize(*made.serialize()).equals(made)
