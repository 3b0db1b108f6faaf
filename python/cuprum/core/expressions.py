"""The variables of formulas in texts, as `DataFrame.query` and `DataFrame.eval` take them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.construction import column_from
from cuprum.core.error_classes import of_pandas
from cuprum.core.interop import is_pandas

if TYPE_CHECKING:
    pass

__all__ = ["check_engine", "check_parser", "variables_of"]


def check_engine(engine: Any) -> None:
    """Fail with ``KeyError`` where a name is none of pandas' engines."""
    if engine not in (None, "python", "numexpr"):
        raise KeyError(f"Invalid engine '{engine}' passed, valid engines are 'python' and 'numexpr'")


def check_parser(parser: Any) -> None:
    """Fail where a formula is to be read in another way than that of pandas."""
    if parser == "python":
        raise NotImplementedError("`parser`='python' is not supported: `and` and `&` are one operator here")
    if parser != "pandas":
        raise KeyError(f"Invalid parser '{parser}' passed, valid parsers are 'pandas' and 'python'")


def variables_of(text: str, scope: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a formula and what the variables that it names with ``@`` stand for, as the extension takes both.

    An element of a variable, ``@name['a']``, becomes a variable of its own. Raises ``SyntaxError`` for a text that is
    no formula and ``NameError`` for a variable that is not there.
    """
    if not isinstance(text, str):
        raise ValueError(f"expr must be a string to be evaluated, {type(text)} given")
    if not text:
        raise ValueError("expr cannot be an empty string")
    elements: dict[str, Any] = {}
    if "[" in text and "@" in text:
        text = _ELEMENT.sub(lambda found: _named(found, scope, elements), text)
    names = _cuprum.formula_variables(text)
    return text, {
        name: _handed_over(elements[name] if name in elements else _looked_up(name, scope)) for name in names
    }


# A text between quotes, which is left as it is, or an element under constants of a variable.
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ELEMENT = re.compile(
    rf"(?P<quoted>{_QUOTED}|`[^`]*`)|@(?P<name>\w+(?:\.\w+)*)(?P<keys>(?:\[\s*(?:{_QUOTED}|-?\d+)\s*\])+)"
)


def _named(found: re.Match[str], scope: Mapping[str, Any], elements: dict[str, Any]) -> str:
    """Return the name of the variable that stands for an element."""
    if found["quoted"]:
        return found[0]
    value = _looked_up(found["name"], scope)
    for key in re.findall(rf"\[\s*({_QUOTED}|-?\d+)\s*\]", found["keys"]):
        value = value[ast.literal_eval(key)]
    name = f"__element_{len(elements)}"
    elements[name] = value
    return f"@{name}"


def _looked_up(name: str, scope: Mapping[str, Any]) -> Any:
    first, *attributes = name.split(".")
    if first not in scope:
        raise of_pandas("UndefinedVariableError", f"local variable '{first}' is not defined")
    value = scope[first]
    for attribute in attributes:
        value = getattr(value, attribute)
    return value


def _handed_over(value: Any) -> Any:
    if isinstance(value, objects.Series) or is_pandas(value, "Series"):
        return objects.Series(value)._handle
    return column_from(value) if is_list_like(value) else value
