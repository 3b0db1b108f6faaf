"""`eval`: expressions of frames, series and scalars in a text, as pandas has them."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Callable, Mapping
from typing import Any

from cuprum.core.arguments import is_list_like
from cuprum.core.error_classes import of_pandas

__all__ = ["eval"]

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.And: lambda a, b: a & b,
    ast.Or: lambda a, b: a | b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: _equal(a, b),
    ast.NotEq: lambda a, b: _inverted(_equal(a, b)) if isinstance(b, (list, str)) else a != b,
    ast.In: lambda a, b: _member(a, b),
    ast.NotIn: lambda a, b: _inverted(_member(a, b)),
}

_FUNCTIONS = (
    "sin", "cos", "tan", "exp", "log", "expm1", "log1p", "sqrt", "sinh", "cosh", "tanh", "arcsin", "arccos",
    "arctan", "arccosh", "arcsinh", "arctanh", "abs", "log10", "floor", "ceil", "arctan2",
)  # fmt: skip


def eval(
    expr: str,
    parser: str = "pandas",
    engine: str | None = None,
    local_dict: Mapping[str, Any] | None = None,
    global_dict: Mapping[str, Any] | None = None,
    resolvers: Any = (),
    level: int = 0,
    target: Any = None,
    inplace: bool = False,
) -> Any:
    """Return the result of an expression in a text; its names are variables of the caller.

    Parameters
    ----------
    expr : str
        Arithmetic, comparisons, ``and``, ``or``, ``not``, ``in``, attributes, elements and calls. Lines may
        assign, to columns of ``target``.
    parser : ``'pandas'`` or ``'python'``, default ``'pandas'``
        ``'pandas'``: ``&`` and ``|`` bind as ``and`` and ``or`` do. ``'python'``: they bind as in Python, and
        there are no ``and``, ``or``, ``not`` and ``in``.
    engine : ``'python'`` or ``'numexpr'``, optional
        Has no effect: there is one.
    local_dict : dict, optional
        Variables instead of the caller's local ones.
    global_dict : dict, optional
        Variables instead of the caller's global ones.
    resolvers : list of mappings, default ()
        Mappings that are asked for names before the variables.
    level : int, default 0
        How many callers further up the variables are looked for.
    target : DataFrame or other object with ``__setitem__``, optional
        What assignments set the elements of.
    inplace : bool, default False
        Set ``target`` itself and return None; else a copy of it is returned.

    Returns
    -------
    object
        The value of the expression; with an assignment a copy of ``target``, or None with ``inplace=True``.

    Raises
    ------
    NotImplementedError
        For parts of Python that are not supported.
    SyntaxError
        For a text that is no expression, and for names with ``@``.
    ValueError
        For an assignment without ``target``, and for several lines that do not assign.

    Examples
    --------
    >>> import cuprum
    >>> a = cuprum.Series([1, 2, 3])
    >>> cuprum.eval("a > 1 & a < 3").tolist()
    [False, True, False]
    >>> cuprum.eval("b = a * 2", target=cuprum.DataFrame({"a": a}))
       a  b
    0  1  2
    1  2  4
    2  3  6
    """
    if not isinstance(inplace, bool):
        raise ValueError(
            f'For argument "inplace" expected type bool, received type {type(inplace).__name__}.'
        )
    if engine not in (None, "python", "numexpr"):
        raise KeyError(f"Invalid engine '{engine}' passed, valid engines are ['numexpr', 'python']")
    if parser not in ("pandas", "python"):
        raise KeyError(f"Invalid parser '{parser}' passed, valid parsers are ['pandas', 'python']")
    lines = [line for line in expr.splitlines() if line.strip()]
    if not lines:
        raise ValueError("expr cannot be an empty string")
    if len(lines) > 1 and target is None:
        raise ValueError("multi-line expressions are only valid in the context of data, use DataFrame.eval")
    caller = sys._getframe(level + 1)
    scope = [
        *resolvers,
        caller.f_locals if local_dict is None else local_dict,
        caller.f_globals if global_dict is None else global_dict,
    ]
    result: Any = None
    changed = target if inplace or target is None else None
    assigned = False
    for line in lines:
        statement = ast.parse(_with_words(line.strip()) if parser == "pandas" else line.strip()).body
        if len(statement) != 1:
            raise SyntaxError("only a single expression is allowed")
        formula = _Formula(scope, words=parser == "pandas")
        one = statement[0]
        if isinstance(one, ast.Expr):
            if len(lines) > 1:
                raise ValueError(
                    "Multi-line expressions are only valid if all expressions contain an assignment"
                )
            result = formula.value(one.value)
            continue
        if not isinstance(one, ast.Assign):
            raise NotImplementedError(f"'{type(one).__name__}' nodes are not implemented")
        if len(one.targets) != 1 or not isinstance(one.targets[0], ast.Name):
            raise SyntaxError("left hand side of an assignment must be a single name")
        if target is None:
            raise ValueError("cannot assign without a target object")
        if changed is None:
            changed = target.copy()
        assigned = True
        value = formula.value(one.value)
        changed[one.targets[0].id] = value
        scope.insert(0, {one.targets[0].id: value})
    if inplace and not assigned:
        raise ValueError("Cannot operate inplace if there is no assignment")
    if assigned:
        return None if inplace else changed
    return result


def _with_words(line: str) -> str:
    """``&`` and ``|`` as words, which bind weaker than comparisons."""
    words = {"&": "and", "|": "or"}
    tokens = []
    for token in tokenize.generate_tokens(io.StringIO(line).readline):
        if token.string == "@":
            raise SyntaxError(
                "The '@' prefix is not allowed in top-level eval calls.\n"
                "please refer to your variables by name without the '@' prefix."
            )
        if token.type == tokenize.OP and token.string in words:
            tokens.append((tokenize.NAME, words[token.string]))
        else:
            tokens.append((token.type, token.string))
    return tokenize.untokenize(tokens)


class _Formula:
    """The value of an expression."""

    def __init__(self, scope: list[Any], *, words: bool) -> None:
        self._scope, self._words = scope, words

    def value(self, node: ast.expr) -> Any:
        return getattr(self, f"_of_{type(node).__name__}", self._refuse)(node)

    def _refuse(self, node: ast.AST) -> Any:
        raise NotImplementedError(f"'{type(node).__name__}' nodes are not implemented")

    def _of_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def _of_Name(self, node: ast.Name) -> Any:
        for names in self._scope:
            if node.id in names:
                return names[node.id]
        raise of_pandas("UndefinedVariableError", f"name '{node.id}' is not defined")

    def _of_List(self, node: ast.List) -> Any:
        return [self.value(part) for part in node.elts]

    def _of_Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.value(part) for part in node.elts)

    def _of_BinOp(self, node: ast.BinOp) -> Any:
        if type(node.op) not in _BINARY:
            return self._refuse(node.op)
        return _BINARY[type(node.op)](self.value(node.left), self.value(node.right))

    def _of_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.UAdd):
            return +value
        if isinstance(node.op, ast.Not) and not self._words:
            return self._refuse(node.op)
        return _inverted(value) if isinstance(node.op, (ast.Not, ast.Invert)) else self._refuse(node.op)

    def _of_BoolOp(self, node: ast.BoolOp) -> Any:
        if not self._words:
            return self._refuse(node)
        values = [self.value(part) for part in node.values]
        if any(not is_list_like(one) for one in values) and not all(map(_is_truth, values)):
            raise NotImplementedError("cannot evaluate scalar only bool ops")
        return self._all(values, type(node.op))

    def _of_Compare(self, node: ast.Compare) -> Any:
        values = [self.value(node.left), *(self.value(part) for part in node.comparators)]
        if len(node.ops) > 1 and not self._words:
            return self._refuse(ast.And())
        for op in node.ops:
            if type(op) not in _BINARY or (isinstance(op, (ast.In, ast.NotIn)) and not self._words):
                return self._refuse(op)
        found = [_BINARY[type(op)](a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)]
        return self._all(found, ast.And)

    def _all(self, values: list[Any], op: type) -> Any:
        result = values[0]
        for value in values[1:]:
            result = _BINARY[op](result, value)
        return result

    def _of_Attribute(self, node: ast.Attribute) -> Any:
        return getattr(self.value(node.value), node.attr)

    def _of_Subscript(self, node: ast.Subscript) -> Any:
        return self.value(node.value)[self.value(node.slice)]

    def _of_Slice(self, node: ast.Slice) -> Any:
        return slice(
            *(None if part is None else self.value(part) for part in (node.lower, node.upper, node.step))
        )

    def _of_Call(self, node: ast.Call) -> Any:
        if any(isinstance(part, ast.Starred) for part in node.args) or any(
            k.arg is None for k in node.keywords
        ):
            return self._refuse(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id in _FUNCTIONS and not self._knows(function.id):
            import numpy as np

            call = getattr(np, function.id)
        else:
            call = self.value(function)
        named = {part.arg: self.value(part.value) for part in node.keywords if part.arg is not None}
        return call(*(self.value(part) for part in node.args), **named)

    def _knows(self, name: str) -> bool:
        return any(name in names for names in self._scope)


def _is_truth(value: Any) -> bool:
    """Whether a value is a truth value, or of them."""
    dtype = getattr(value, "dtype", None)
    return isinstance(value, bool) if dtype is None else getattr(dtype, "kind", "") == "b"


def _equal(value: Any, other: Any) -> Any:
    """Whether values are equal, or among those of a list; as in pandas a text is a list of one."""
    if isinstance(other, str) and is_list_like(value):
        return _member(value, [other])
    return _member(value, other) if isinstance(other, list) else value == other


def _member(value: Any, among: Any) -> Any:
    if hasattr(value, "isin"):
        return value.isin(among)
    if hasattr(among, "isin") and is_list_like(value):
        return among.isin(value)
    return value in among


def _inverted(value: Any) -> Any:
    return not value if isinstance(value, bool) else ~value
