"""Formulas over the columns of a table, or of two for joins.

Examples
--------
>>> from pylibcuprum import Column, transform
>>> formula = to_expression("a + 2 * b", ("a", "b"))
>>> table = [Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([10, 20])]
>>> transform.compute_column(table, formula).to_pylist()
[21, 42]
"""

from __future__ import annotations

import ast
from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Scalar, _expressions

__all__ = [
    "ASTOperator",
    "ColumnNameReference",
    "ColumnReference",
    "Expression",
    "Literal",
    "Operation",
    "TableReference",
    "to_expression",
]


class TableReference(IntEnum):
    """The table that a column is of."""

    LEFT = 0
    RIGHT = 1


class ASTOperator(IntEnum):
    """An operator of a formula."""

    ADD = 0
    SUB = 1
    MUL = 2
    DIV = 3
    TRUE_DIV = 4
    FLOOR_DIV = 5
    MOD = 6
    PYMOD = 7
    POW = 8
    EQUAL = 9
    NULL_EQUAL = 10
    NOT_EQUAL = 11
    LESS = 12
    GREATER = 13
    LESS_EQUAL = 14
    GREATER_EQUAL = 15
    BITWISE_AND = 16
    BITWISE_OR = 17
    BITWISE_XOR = 18
    NULL_LOGICAL_AND = 19
    LOGICAL_AND = 20
    NULL_LOGICAL_OR = 21
    LOGICAL_OR = 22
    IDENTITY = 23
    IS_NULL = 24
    SIN = 25
    COS = 26
    TAN = 27
    ARCSIN = 28
    ARCCOS = 29
    ARCTAN = 30
    SINH = 31
    COSH = 32
    TANH = 33
    ARCSINH = 34
    ARCCOSH = 35
    ARCTANH = 36
    EXP = 37
    LOG = 38
    SQRT = 39
    CBRT = 40
    CEIL = 41
    FLOOR = 42
    ABS = 43
    RINT = 44
    BIT_INVERT = 45
    NOT = 46


if TYPE_CHECKING:

    class Expression:
        """A formula over the columns of a table, or of two."""

    class Literal(Expression):
        """One value for all rows."""

        def __init__(self, value: Scalar) -> None: ...

    class ColumnReference(Expression):
        """A column of the table, or of the left or right one of a join."""

        def __init__(self, index: int, table_source: TableReference = TableReference.LEFT) -> None: ...

    class ColumnNameReference(Expression):
        """A column by its name, for files."""

        def __init__(self, name: str) -> None: ...

    class Operation(Expression):
        """An operator of one or two formulas."""

        def __init__(self, op: ASTOperator, left: Expression, right: Expression | None = None) -> None: ...

else:
    Expression = _expressions.Expression
    Literal = _expressions.Literal
    ColumnReference = _expressions.ColumnReference
    ColumnNameReference = _expressions.ColumnNameReference
    Operation = _expressions.Operation

_OPERATORS: dict[type, ASTOperator] = {
    ast.Add: ASTOperator.ADD,
    ast.Sub: ASTOperator.SUB,
    ast.Mult: ASTOperator.MUL,
    ast.Div: ASTOperator.DIV,
    ast.FloorDiv: ASTOperator.FLOOR_DIV,
    ast.Mod: ASTOperator.PYMOD,
    ast.Pow: ASTOperator.POW,
    ast.Eq: ASTOperator.EQUAL,
    ast.NotEq: ASTOperator.NOT_EQUAL,
    ast.Lt: ASTOperator.LESS,
    ast.Gt: ASTOperator.GREATER,
    ast.LtE: ASTOperator.LESS_EQUAL,
    ast.GtE: ASTOperator.GREATER_EQUAL,
    ast.BitXor: ASTOperator.BITWISE_XOR,
    ast.BitAnd: ASTOperator.BITWISE_AND,
    ast.BitOr: ASTOperator.BITWISE_OR,
    ast.And: ASTOperator.LOGICAL_AND,
    ast.Or: ASTOperator.LOGICAL_OR,
    ast.Invert: ASTOperator.BIT_INVERT,
    ast.Not: ASTOperator.NOT,
}

_FUNCTIONS = {
    operator.name.lower(): operator
    for operator in ASTOperator
    if ASTOperator.SIN <= operator <= ASTOperator.RINT or operator is ASTOperator.IS_NULL
}


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"`expr` {text!r} is no expression: {error}") from None


def _formula(node: ast.expr, names: tuple[str, ...]) -> Expression:
    def refuse(what: ast.AST) -> ValueError:
        return ValueError(f"`expr` has {ast.unparse(what)!r}, which is no formula over columns")

    def joined(operator: ast.AST, operands: list[ast.expr]) -> Expression:
        if type(operator) not in _OPERATORS:
            raise refuse(node)
        made = [_formula(operand, names) for operand in operands]
        result = made[0]
        for operand in made[1:]:
            result = Operation(_OPERATORS[type(operator)], result, operand)
        return result

    match node:
        case ast.Name(id=name):
            if name not in names:
                raise ValueError(f"`expr` names {name!r}, which is no column of {names}")
            return ColumnReference(names.index(name))
        case ast.Constant(value=bool() | int() | float() | str()):
            return Literal(Scalar.from_py(node.value))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return Literal(Scalar.from_py(-value))
        case ast.UnaryOp(op=operator, operand=operand) if type(operator) in _OPERATORS:
            return Operation(_OPERATORS[type(operator)], _formula(operand, names))
        case ast.BinOp(left=left, op=operator, right=right):
            return joined(operator, [left, right])
        case ast.BoolOp(op=operator, values=values):
            return joined(operator, values)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return joined(operator, [left, right])
        case ast.Call(func=ast.Name(id=name), args=[operand], keywords=[]) if name in _FUNCTIONS:
            return Operation(_FUNCTIONS[name], _formula(operand, names))
    raise refuse(node)


def to_expression(expr: str, column_names: tuple[str, ...]) -> Expression:
    """Return the formula that a Python expression describes.

    Parameters
    ----------
    expr : str
        Names of columns, literals, operators (``+ - * / // % ** & | ^ ~ and or not``), comparisons of two
        sides, and functions such as ``sin``, ``abs``, ``sqrt`` and ``is_null``.
    column_names : tuple of str
        Name of each column of the table, in order.

    Returns
    -------
    Expression
        Formula for `transform.compute_column` and other functions that take one.

    Raises
    ------
    ValueError
        For names that are no columns, and for an argument that is no formula.

    Examples
    --------
    >>> from pylibcuprum import Column, transform
    >>> formula = to_expression("abs(a) > 1 and b == 'x'", ("a", "b"))
    >>> table = [Column.from_iterable_of_py([-2, 0, None]), Column.from_iterable_of_py(["x", "x", "y"])]
    >>> transform.compute_column(table, formula).to_pylist()
    [True, False, None]
    """
    return _formula(_parsed(expr), column_names)
