"""The variables of formulas in texts, as `DataFrame.query` and `DataFrame.eval` take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cuprum import _cuprum
from cuprum.core.arguments import is_list_like
from cuprum.core.construction import column_from
from cuprum.core.interop import is_pandas
from cuprum.core.series import Series

__all__ = ["variables_of"]


def variables_of(text: str, scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the variables that a formula names with ``@`` stand for, as the extension takes it.

    Raises ``SyntaxError`` for a text that is no formula and ``NameError`` for a variable that is not there.
    """
    return {name: _handed_over(_looked_up(name, scope)) for name in _cuprum.formula_variables(text)}


def _looked_up(name: str, scope: Mapping[str, Any]) -> Any:
    first, *attributes = name.split(".")
    if first not in scope:
        raise NameError(f"local variable '{first}' is not defined")
    value = scope[first]
    for attribute in attributes:
        value = getattr(value, attribute)
    return value


def _handed_over(value: Any) -> Any:
    if isinstance(value, Series) or is_pandas(value, "Series"):
        return Series(value)._handle
    return column_from(value) if is_list_like(value) else value
