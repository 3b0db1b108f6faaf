"""What the texts of `frames.py` say: their statements, one by one, and the columns that they read."""

import ast
import inspect
import textwrap
import time
from typing import NamedTuple

KINDS = ["read", "cast", "filter", "merge", "group", "sort", "other"]


class Statement(NamedTuple):
    """A statement of a query: its text, what it does, the variables that it reads, what sets its result."""

    text: str
    kind: str
    names: list
    target: str
    code: object


class Timed(NamedTuple):
    """A statement that ran: rows of the frames that it reads, rows of its result, the least seconds."""

    statement: Statement
    rows_in: int
    rows_out: int | None
    seconds: float


def statements(function):
    """Return the statements of a query; `return` sets `result`."""
    body = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0].body
    made = []
    for node in body:
        if isinstance(node, ast.Return):
            result = ast.Name("result", ast.Store())
            node = ast.copy_location(ast.Assign([result], node.value), node)
        node = ast.fix_missing_locations(node)
        names = sorted({each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)})
        code = compile(ast.Module([node], []), function.__name__, "exec")
        made.append(Statement(ast.unparse(node), _kind(node.value), names, node.targets[0].id, code))
    return made


def _kind(expression):
    called = {each.func.attr for each in ast.walk(expression) if _is_method(each)}
    for kind, methods in {
        "read": {"read_parquet"},
        "merge": {"merge"},
        "group": {"groupby"},
        "sort": {"sort_values", "head"},
    }.items():
        if called & methods:
            return kind
    for each in ast.walk(expression):
        if _is_method(each) and each.func.attr == "isin" and isinstance(each.args[0], ast.Subscript):
            return "merge"  # in a column: a semi-join
    if _is_method(expression) and expression.func.attr == "astype":
        return "cast"
    if isinstance(expression, ast.Subscript) and not _is_label(expression.slice):
        return "filter"
    return "other"


def _is_method(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def _is_label(node):
    return isinstance(node, (ast.Constant, ast.List))


def traced(function, arguments, repeat, clock=time.perf_counter):
    """Run the statements of a query one by one and return them with their rows and least times."""
    parts = statements(function)
    best = [float("inf")] * len(parts)
    rows = [(0, None)] * len(parts)
    for _ in range(repeat):
        variables = {**function.__globals__, **arguments}
        for at, part in enumerate(parts):
            before = sum(_rows(variables.get(name)) or 0 for name in part.names)
            start = clock()
            exec(part.code, variables)
            best[at] = min(best[at], clock() - start)
            rows[at] = before, _rows(variables[part.target])
    return [Timed(part, *rows[at], best[at]) for at, part in enumerate(parts)]


def _rows(value):
    return (
        len(value)
        if hasattr(value, "shape") and hasattr(value, "dtype" if value.ndim == 1 else "dtypes")
        else None
    )


def scans(function):
    """Return the tables that a query reads, with the columns of each."""
    found = []
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if _is_method(node) and node.func.attr == "read_parquet":
            name = node.args[0].right.value.removesuffix(".parquet")
            found.append((name, ast.literal_eval(node.keywords[0].value)))
    return found
