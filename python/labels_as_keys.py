"""Checks that no dict in the core of the package has the labels of an axis for keys: labels may repeat, keys may not.

Of two values under the same label a dict keeps the last, silently. Labels are matched by position (`cuprum::axis` in Rust,
`label_positions` in Python). The check goes by names and prints what it finds:

- ``x.to_dict()`` without arguments,
- ``{label: … for label in …}``: a key called ``label`` or ``column``, or from what is called ``labels``, ``columns`` or
  ``index``, also as ``zip(labels, …)``, ``enumerate(labels)`` and ``dict(zip(labels, …))``.

`KNOWN` has how many there still are in a file: mappings that users gave, labels that were made different before, and what is to
be mended. A number that is no longer true fails, too. Usage: labels_as_keys.py
"""

import ast
import sys
from pathlib import Path

CORE = Path(__file__).parent / "cuprum" / "core"

KNOWN = {
    "accessors/categorical.py": 1,
    "arguments.py": 1,
    "functions/grouped_column.py": 2,
    "groupby/rows.py": 2,
    "groupby/statistics.py": 2,
    "groupby/traced.py": 2,
    "indexing.py": 1,
    "library_hooks.py": 1,
    "methods/frame_apply.py": 1,
    "methods/labels.py": 3,
    "methods/series_apply.py": 1,
    "reshape/melt.py": 1,
    "reshape/merge.py": 1,
    "reshape/pivot.py": 1,
    "window/statistics.py": 4,
}

_KEYS = frozenset({"label", "column"})
_AXES = frozenset({"labels", "columns", "index"})


def _is_axis(node: ast.expr) -> bool:
    """Whether an expression is, by its name, the labels of an axis, or iterates over them."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name in _AXES
        case ast.Call(ast.Attribute(attr="labels")):
            return True
        case ast.Call(ast.Attribute(of, "to_list" | "tolist")):
            return _is_axis(of)
        case ast.Call(ast.Name("zip" | "enumerate" | "list"), [first, *_]):
            return _is_axis(first)
    return False


def _is_by_label(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Attribute(attr="to_dict"), [], []):
            return True
        case ast.Call(ast.Name("dict"), [ast.Call(ast.Name("zip")) as pairs]):
            return _is_axis(pairs)
        case ast.DictComp(ast.Name(key), _, generators):
            return key in _KEYS or any(
                _is_axis(one.iter) and not _is_number(one, key) for one in generators if _names(one, key)
            )
    return False


def _names(generator: ast.comprehension, key: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == key for part in ast.walk(generator.target))


def _is_number(generator: ast.comprehension, key: str) -> bool:
    """Whether a name is the number that `enumerate` gives."""
    match generator:
        case ast.comprehension(ast.Tuple([ast.Name(first), *_]), ast.Call(ast.Name("enumerate"))):
            return first == key
    return False


def found(source: str) -> list[int]:
    """The lines of a source where labels are keys."""
    return [node.lineno for node in ast.walk(ast.parse(source)) if _is_by_label(node)]


def main() -> int:
    """Print what is new, and what is no longer true of `KNOWN`."""
    wrong = []
    for path in sorted(CORE.rglob("*.py")):
        name, lines = path.relative_to(CORE).as_posix(), found(path.read_text())
        if len(lines) != KNOWN.get(name, 0):
            places = ", ".join(map(str, lines)) or "none"
            wrong.append(
                f"{path}: labels as keys of a dict in lines {places}; known are {KNOWN.get(name, 0)}"
            )
    wrong += [f"{name} is in KNOWN and is not there" for name in KNOWN if not (CORE / name).exists()]
    print("\n".join(wrong), file=sys.stderr) if wrong else None
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
