"""`reindex` and `reindex_like`."""

import pandas as pd
import pytest
from oracle import SMALL, agree, ours
from small_frames import FLOATS, FOUR_ROWS, THREE_KEYS

import cuprum


def test_reindex_of_no_rows_with_a_method():
    agree("lib.Series([], index=[], dtype='float64').reindex([1, 2], method='pad')", **SMALL)


def test_reindex_to_the_same_repeated_labels() -> None:
    agree("twice.reindex(columns=['a', 'b', 'b'])", **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        (
            "df.reindex([0], index=[0], columns=['a'])",
            TypeError,
            "Cannot specify all of 'labels', 'index', 'columns'",
        ),
        ("twice.reindex(columns=['a'])", ValueError, "cannot reindex on an axis with duplicate labels"),
    ],
)
def test_reindex_refuses_what_pandas_refuses(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        "df.reindex(columns=lib.Series(['b', 'a'], name='n')).columns.name",
        "df[:2].reindex_like(df, method='ffill')",
    ],
)
def test_reindex_takes_the_name_of_the_labels(code):
    agree(code, df=FLOATS)


def test_reindex_takes_labels_in_one_way():
    agree(
        "df.reindex(index=[0], axis=0)",
        refused=(TypeError, "Cannot specify both 'axis' and any of 'index' or 'columns'"),
        df=FLOATS,
    )


def test_reindex_by_tuples_finds_no_texts():
    agree("lib.Series([1, 2], index=['p', 'q']).reindex([('q',)]).to_list()")


def test_a_part_of_a_label_finds_no_row():
    agree("df.reindex(('x', 1)).a.to_list()", df=THREE_KEYS)
    agree("lib.Series([1, 2], index=['p', 'q']).loc[['p']]")
    with pytest.raises(KeyError):
        cuprum.Index(["p", "q"]).drop(("q",))


TRUTHS = FOUR_ROWS[:2].set_axis([True, False])


@pytest.mark.parametrize(
    "code",
    [
        "df.reindex([True, False])",
        "df.a.reindex([True])",
        "df.index.get_indexer([True])",
        "df.reindex_like(truths)",
        "df.index.intersection(truths.index)",
        "truths.reindex([1])",
        "truths.index.get_indexer([1, 0])",
    ],
)
def test_truth_values_find_no_numbers(code):
    agree(code, df=FOUR_ROWS, truths=TRUTHS)


ORDERED = pd.DataFrame(
    {"a": [1, 2, 4, 3], "b": [1.5, None, 3, -1], "s": list("pqrs")}, index=[10, 20, 30, 40]
)


@pytest.mark.parametrize(
    "expression",
    [
        "df.reindex([5, 10, 15, 40, 99], method='ffill')",
        "df.reindex([5, 10, 15, 40, 99], method='bfill')",
        "df.reindex([12, 28, 99], method='nearest', tolerance=3)",
        "df.reindex([21, 22, 23], method='ffill', limit=2)",
        "df[['a', 'b']].reindex([10, 99], fill_value=7)",
        "df.a.reindex([10, 99], fill_value=7)",
        "df.s.reindex([10, 99], fill_value='none')",
        "df.s.reindex([11, 99], method='ffill')",
        "df.b.reindex([20, 99], fill_value=5)",
        "df.reindex(columns=['a', 'z'], fill_value=0)",
        "df[['a']].reindex(index=[10, 99], columns=['a', 'z'], fill_value=0)",
        "df.iloc[::-1].reindex([15, 35], method='ffill')",
        "df.rename_axis('q').reindex([10, 15], method='ffill')",
    ],
)
def test_reindex_fills_labels_that_are_not_there(expression):
    agree(expression, df=ORDERED)


@pytest.mark.parametrize(
    "expression",
    [
        "df.a.reindex([99], limit=1)",
        "df.reindex([10], method='bogus')",
        "df.iloc[[1, 0, 2]].reindex([15], method='ffill')",
    ],
)
def test_reindex_refuses_unknown_fills(expression):
    for df in (ORDERED, ours(ORDERED)):
        with pytest.raises(ValueError):
            eval(expression, {"df": df})
