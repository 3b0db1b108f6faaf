"""Expressions in texts, as `DataFrame.query` and `DataFrame.eval` take them.

Names are columns (or names of index levels), ``@name`` is a variable of the caller. Only operators
are known: a text cannot call anything.
"""

from __future__ import annotations

import ast
import io
import operator
import tokenize
from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["assigned_name", "evaluate"]

_LOCAL = "local__"

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitXor: operator.xor,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def evaluate(text: str, frame: DataFrame, variables: Mapping[str, Any]) -> Any:
    """Return the value of an expression over the columns of ``frame``.

    ``variables`` are those that ``@`` names. Raises ``SyntaxError`` for a text that is no expression,
    ``NameError`` for an unknown name and ``NotImplementedError`` for calls and the like.
    """
    return _Evaluation(frame, variables).value(_statement(text)[1])


def assigned_name(text: str) -> str | None:
    """Return the name that ``name = expression`` assigns to; None for a bare expression."""
    return _statement(text)[0]


def _statement(text: str) -> tuple[str | None, ast.expr]:
    (statement, *more) = ast.parse(_as_python(text)).body or [ast.Pass()]
    if isinstance(statement, ast.Expr) and not more:
        return None, statement.value
    if isinstance(statement, ast.Assign) and not more and len(statement.targets) == 1:
        (target,) = statement.targets
        if isinstance(target, ast.Name):
            return target.id, statement.value
    raise SyntaxError(f"{text!r} is neither one expression nor `name = expression`")


def _as_python(text: str) -> str:
    """Replace ``@name`` by a name, and ``&`` and ``|``, which bind as loosely here as ``and`` and ``or``."""
    tokens: list[tuple[int, str]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text.strip()).readline):
            kind, word = token.type, token.string
            if tokens and tokens[-1] == (tokenize.OP, "@") and kind == tokenize.NAME:
                tokens[-1] = (kind, _LOCAL + word)
            elif kind == tokenize.OP and word in "&|":
                tokens.append((tokenize.NAME, "and" if word == "&" else "or"))
            else:
                tokens.append((kind, word))
    except tokenize.TokenError as error:
        raise SyntaxError(f"{text!r}: {error.args[0]}") from None
    return tokenize.untokenize(tokens)


class _Evaluation:
    def __init__(self, frame: DataFrame, variables: Mapping[str, Any]) -> None:
        self._frame = frame
        self._variables = variables

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(element) for element in node.elts]
        if isinstance(node, ast.UnaryOp):
            operand = self.value(node.operand)
            if isinstance(node.op, (ast.Not, ast.Invert)):
                return not operand if isinstance(operand, bool) else ~operand
            return -operand if isinstance(node.op, ast.USub) else +operand
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return _BINARY[type(node.op)](self.value(node.left), self.value(node.right))
        if isinstance(node, ast.BoolOp):
            combine = operator.and_ if isinstance(node.op, ast.And) else operator.or_
            return reduce(combine, map(self.value, node.values))
        if isinstance(node, ast.Compare):
            values = [self.value(one) for one in (node.left, *node.comparators)]
            parts = map(_compared, node.ops, values, values[1:])
            return reduce(operator.and_, parts)
        raise NotImplementedError(
            f"an expression consists of columns, @variables, constants and operators; {ast.unparse(node)!r} "
            "does not: compute it before and name it with @"
        )

    def _named(self, name: str) -> Any:
        if name.startswith(_LOCAL):
            name = name.removeprefix(_LOCAL)
            if name not in self._variables:
                raise NameError(f"local variable '{name}' is not defined")
            return self._variables[name]
        if name in self._frame:
            return self._frame[name]
        index = self._frame.index
        if name in index.names:
            return index.get_level_values(name).to_series(index=index)
        if name == "index":
            return index.to_series()
        raise NameError(f"name '{name}' is not defined: it is no column; write @{name} for a variable")


def _compared(op: ast.cmpop, left: Any, right: Any) -> Any:
    if type(op) in _COMPARE:
        if isinstance(right, list) and isinstance(op, (ast.Eq, ast.NotEq)):
            op = ast.In() if isinstance(op, ast.Eq) else ast.NotIn()
        else:
            return _COMPARE[type(op)](left, right)
    if isinstance(op, (ast.In, ast.NotIn)):
        found = left.isin(right) if hasattr(left, "isin") else left in right
        return found if isinstance(op, ast.In) else (not found if isinstance(found, bool) else ~found)
    raise NotImplementedError("`is` compares no columns: use ==")
