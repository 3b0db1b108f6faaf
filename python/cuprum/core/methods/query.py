"""Expressions in texts: query, eval."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core.construction import (
    column_from,
)
from cuprum.core.error_classes import ClassesOfPandas
from cuprum.core.expressions import check_engine, check_parser, variables_of
from cuprum.core.label_columns import has_mixed_labels
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import (
        Engine,
        Parser,
    )


@overload
def query(
    self: DataFrame,
    expr: str,
    *,
    parser: Parser = ...,
    inplace: Literal[True],
    local_dict: Mapping[str, Any] | None = ...,
    engine: Engine | None = ...,
) -> None: ...
@overload
def query(
    self: DataFrame,
    expr: str,
    *,
    parser: Parser = ...,
    inplace: bool = ...,
    local_dict: Mapping[str, Any] | None = ...,
    engine: Engine | None = ...,
) -> DataFrame: ...
def query(
    self: DataFrame,
    expr: str,
    *,
    parser: str = "pandas",
    inplace: bool = False,
    local_dict: Any = None,
    engine: str | None = None,
) -> Any:
    """Return the rows where an expression in a text is true.

    Parameters
    ----------
    expr : str
        The expression, see Notes.
    parser : ``'pandas'``, default ``'pandas'``
        Only ``'pandas'`` is supported.
    inplace : bool, default False
        Change this object and return None.
    local_dict : dict, optional
        Variables instead of the caller's.
    engine : ``'python'`` or ``'numexpr'``, optional
        Has no effect: both give the same.

    Returns
    -------
    DataFrame or None
        The rows in their order; None with ``inplace=True``.

    Raises
    ------
    NameError
        For an unknown name.
    SyntaxError
        For a text that is no expression; the message shows the place.
    NotImplementedError
        For other calls than those below; the message shows the place.

    Notes
    -----
    Names are columns, else levels of the index, else ``index``; between backticks they may be any text.
    ``@name`` is a variable of the caller. There are constants, lists, ``+ - * / // % ** ^``, comparisons,
    ``in``, ``and or not`` (``& | ~``), mathematics (``sqrt(a)``) and methods: of missing values, comparison,
    aggregation (``a.mean()``), texts (``s.str.contains('x')``) and times (``t.dt.year``).

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2, 3], "b c": ["x", "y", "x"]})
    >>> low = 1
    >>> df.query("a > @low and `b c` == 'x'")
       a b c
    2  3   x
    >>> df.query("a in [1, 3]").index.to_list()
    [0, 2]
    """
    check_engine(engine)
    check_parser(parser)
    known = _caller_variables() if local_dict is None else local_dict
    text, variables = variables_of(expr, known)

    def chosen(handle: Any) -> Any:
        try:
            return _cuprum.query(handle, text, variables)
        except NotImplementedError:
            if not has_mixed_labels(handle.index()):
                raise
            rows = wrap_frame(handle).to_pandas().eval(expr, local_dict=known)  # which compares objects
            return handle.filter(column_from(rows.to_numpy()))

    with ClassesOfPandas():
        return self._replaced(chosen, inplace)


@overload
def eval_(
    self: DataFrame,
    expr: str,
    *,
    parser: Parser = ...,
    inplace: Literal[True],
    local_dict: Mapping[str, Any] | None = ...,
    engine: Engine | None = ...,
) -> None: ...
@overload
def eval_(
    self: DataFrame,
    expr: str,
    *,
    parser: Parser = ...,
    inplace: bool = ...,
    local_dict: Mapping[str, Any] | None = ...,
    engine: Engine | None = ...,
) -> Any: ...
def eval_(
    self: DataFrame,
    expr: str,
    *,
    parser: str = "pandas",
    inplace: bool = False,
    local_dict: Any = None,
    engine: str | None = None,
) -> Any:
    """Return the value of an expression in a text, or the frame with the column that it assigns.

    Parameters
    ----------
    expr : str
        An expression as in `query`; or ``name = expression``. Several lines assign one column each, over the
        columns of the lines before.
    parser : ``'pandas'``, default ``'pandas'``
        Only ``'pandas'`` is supported.
    inplace : bool, default False
        Assign in this frame and return None.
    local_dict : dict, optional
        Variables instead of the caller's.
    engine : ``'python'`` or ``'numexpr'``, optional
        Has no effect: both give the same.

    Returns
    -------
    Series, scalar, DataFrame or None
        A Series or a scalar of an expression; a DataFrame with an assignment; None with ``inplace=True``.

    Raises
    ------
    ValueError
        For ``inplace=True`` without an assignment.
    NameError
        For an unknown name.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [10, 20]})
    >>> df.eval("c = a + b")
       a   b   c
    0  1  10  11
    1  2  20  22
    >>> df.eval("a.sum() * 2")
    np.int64(6)
    """
    check_engine(engine)
    check_parser(parser)
    expr, variables = variables_of(expr, _caller_variables() if local_dict is None else local_dict)

    def evaluated(handle: Any) -> Any:
        with ClassesOfPandas():
            return _cuprum.eval(handle, expr, variables)

    def assigned(handle: Any) -> Any:
        frame = evaluated(handle)[0]
        if frame is None:
            raise ValueError("Cannot operate inplace if there is no assignment")
        return frame

    if inplace:
        return self._relabelled(assigned, inplace)
    frame, series, value = evaluated(self._handle)
    if frame is not None:
        return self._around(frame)
    return wrap_series(series) if series is not None else wrap_series(value).iloc[0]


def _caller_variables() -> dict[str, Any]:
    """The variables of the function that called a method of this module."""
    caller = sys._getframe(2)  # beyond the method
    return {**caller.f_globals, **caller.f_locals}
