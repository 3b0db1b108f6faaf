"""`reset_index` and `droplevel`: row labels become columns, or go."""

import warnings

import pandas as pd
import pytest
from oracle import SMALL, agree, ours
from small_frames import FLOATS, ROWS


@pytest.mark.parametrize(
    "statement",
    [
        "lib.Series([1]).to_frame(None)",
        "lib.Series([1], name='a').reset_index(name='b')",
        "lib.Index([1], name='a').to_frame(name='b')",
    ],
)
def test_names_of_columns_that_are_made_of_labels(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        # Names of several parts are labels of columns with several levels.
        "deep.set_index([('B', 'b')], append=True).reset_index().columns.tolist()",
        "deep.set_index([('B', 'b')]).reset_index().columns.tolist()",
        "deep.set_index([('B', 'b')], append=True).reset_index(level=[('B', 'b')]).columns.tolist()",
        "deep.rename_axis([('C', 'c')]).reset_index(col_fill='X').columns.tolist()",
        "deep.rename_axis('C').reset_index(col_level=1, col_fill='X').columns.tolist()",
    ],
)
def test_names_of_several_parts_are_labels_of_levels(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        (
            "deep.rename_axis([('C', 'c', 'i')]).reset_index()",
            ValueError,
            "the name ('C', 'c', 'i') does not fit 2 levels of labels",
        ),
        (
            "df.reset_index(names={'index': 'n'})",
            ValueError,
            "Index names must be str or 1-dimensional list, not",
        ),
    ],
)
def test_names_that_do_not_fit_are_refused(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


def test_droplevel_refuses_levels_that_are_not_there() -> None:
    agree(
        "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).droplevel(-3)",
        refused=(IndexError, "Too many levels: Index has only 2 levels, -3 is not a"),
        **SMALL,
    )


def test_reset_index_refuses_what_is_no_truth_value():
    agree(
        "df.reset_index(inplace='no')",
        refused=(ValueError, 'For argument "inplace" expected type bool, received type'),
        df=FLOATS,
    )


NAMED_ROWS = pd.Series(
    [1.0, 2.0, 3.0], pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)], names=["k", "n"]), name="v"
)


@pytest.mark.parametrize(
    "code",
    [
        "s.reset_index(level=1, drop=True)",
        "s.reset_index(level='k', drop=True)",
        "s.reset_index(level=['k', 'n'], drop=True)",
        "s.reset_index(level='k', drop=True, name='w')",
        "s.reset_index(drop=True, name='w')",
        "s.reset_index(level='n')",
    ],
)
def test_reset_index_of_a_series_drops_levels(code):
    agree(code, s=NAMED_ROWS)


def test_reset_index_of_a_series_in_place():
    def drop(lib, s):
        assert s.reset_index(level="k", drop=True, inplace=True) is None
        return s

    agree(drop, s=NAMED_ROWS)


UNNAMED = {
    "one without a name": pd.DataFrame({"a": [1, 2, 3]}, index=["x", "y", "z"]),
    "one with a name": pd.DataFrame({"a": [1, 2, 3]}, index=pd.Index(["x", "y", "z"], name="k")),
    "two, one without": ROWS.rename_axis([None, "k"]),
    "two without": ROWS.rename_axis([None, None]),
}


@pytest.mark.parametrize("name", UNNAMED)
@pytest.mark.parametrize(
    "code",
    [
        "df.reset_index(level=None)",
        "df.reset_index(level=[None])",
        "df.reset_index(level=[None, 'k'])",
        "df.reset_index(level=[None], drop=True)",
        "df.iloc[:, 0].reset_index(level=[None])",
        "df.droplevel(None)",
        "df.droplevel([None])",
        "df.index.droplevel(None)",
        "df.index.get_level_values(None)",
        "df.unstack(None)",
        "df.unstack([None])",
        "df.swaplevel(None, 'k')",
        "df.reorder_levels(['k', None])",
        "df.sort_index(level=[None])",
        "df.index.sortlevel(None)[0]",
        "df.index.set_names(['q'], level=[None])",
        "df.stack(None)",
        "df.stack([None])",
        "df.xs(('x',), level=[None])",
    ],
)
def test_none_is_the_level_without_a_name(name, code):
    theirs = UNNAMED[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(code, {"df": theirs})
    except (KeyError, ValueError, TypeError) as error:
        # Without several levels `xs` has no `level` in pandas; here the level is looked for first.
        kinds = (type(error), KeyError) if "xs" in code else type(error)
        with pytest.raises(kinds):
            eval(code, {"df": ours(theirs)})
    else:
        agree(code, df=theirs)
