"""`DataFrame.select`: columns by name, by expressions and by keyword."""

import pytest
from oracle import SMALL, agree
from small_frames import FLOATS


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.select({'a', 'b'})", TypeError, "`select` takes no set, whose elements have no order: give"),
        ("df.select(['a'], 'b')", TypeError, "a list of items is the only one of `args`: give them one"),
        (
            "df.select(lib.col('a') + lib.col('b'))",
            TypeError,
            "`args` has col('a') + col('b'), whose result has no name",
        ),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.select((1, 2), extra=1)",
            TypeError,
            "'extra' is no label of 2 levels: use rename with a tuple",
        ),
    ],
)
def test_select_refuses_what_pandas_refuses(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        # A column that is computed is one, however many have its name.
        "df.set_axis(['a', 'a'], axis=1).select(a=[1, 2, 3, 4])",
        "df.set_axis(['a', 'a'], axis=1).select('a', a=lib.Series([1, 2, 3, 4], index=[3, 2, 1, 0]))",
        "df.rename_axis(columns='m').select().columns.name",
    ],
)
def test_a_computed_column_is_one_however_many_have_its_name(code):
    agree(code, df=FLOATS)
