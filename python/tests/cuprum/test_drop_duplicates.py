"""`drop_duplicates` and `duplicated`."""

import pytest
from oracle import SMALL, agree
from small_frames import FLOATS


@pytest.mark.parametrize(
    "program",
    [
        "twice.drop_duplicates(('a',))",
        "df.duplicated(('a', 'b')).tolist()",
        "lib.DataFrame({('a', 'b'): [1, 1], ('c', 'd'): [1, 2]}).drop_duplicates(('a', 'b'))",
    ],
)
def test_a_tuple_is_a_list_of_labels(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        "df[[]].drop_duplicates()",
        "df[[]].duplicated(keep=False)",
    ],
)
def test_rows_without_columns_are_not_compared(code):
    agree(code, df=FLOATS)


def test_ignore_index_is_a_truth_value():
    agree(
        "df.drop_duplicates(ignore_index='x')",
        refused=(ValueError, "The 'ignore_index' parameter must be True or False, not"),
        df=FLOATS,
    )
