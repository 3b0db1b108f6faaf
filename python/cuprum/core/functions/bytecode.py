"""The functions that may be traced: those whose code does nothing but compute.

A function is traced as another of the same code, whose names are constants and functions that note their calls.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import itertools
import math
import threading
import types
from collections.abc import Callable
from typing import Any

from cuprum.core.functions.modules import ELEMENTS, Names
from cuprum.core.functions.texts import Collection, Lookup, Members
from cuprum.core.functions.trace import NotTraced

__all__ = ["traceable_call"]

_OPERATIONS = (
    "BINARY_OP",
    "BINARY_SLICE",
    "BINARY_SUBSCR",
    "BUILD_SLICE",
    "BUILD_TUPLE",
    "CACHE",
    "CALL",
    "CALL_KW",
    "COMPARE_OP",
    "CONTAINS_OP",
    "COPY",
    "COPY_FREE_VARS",
    "END_FOR",
    "EXTENDED_ARG",
    "FOR_ITER",
    "GET_ITER",
    "JUMP_BACKWARD",
    "JUMP_FORWARD",
    "JUMP_IF_FALSE_OR_POP",
    "JUMP_IF_TRUE_OR_POP",
    "KW_NAMES",
    "LOAD_ASSERTION_ERROR",
    "LOAD_ATTR",
    "LOAD_COMMON_CONSTANT",
    "LOAD_CONST",
    "LOAD_DEREF",
    "LOAD_GLOBAL",
    "LOAD_METHOD",
    "LOAD_SMALL_INT",
    "NOP",
    "NOT_TAKEN",
    "POP_ITER",
    "POP_TOP",
    "PRECALL",
    "PUSH_NULL",
    "RAISE_VARARGS",
    "RESUME",
    "RETURN_CONST",
    "RETURN_VALUE",
    "SWAP",
    "TO_BOOL",
    "UNARY_INVERT",
    "UNARY_NEGATIVE",
    "UNARY_NOT",
    "UNARY_POSITIVE",
    "UNPACK_SEQUENCE",
)
# Those of `CALL_INTRINSIC_1`: `+x`, from Python 3.12 on.
_INTRINSICS = ("INTRINSIC_UNARY_POSITIVE",)
# Lists and dicts that nobody else has.
_COLLECTS = ("BUILD_CONST_KEY_MAP", "BUILD_LIST", "BUILD_MAP", "LIST_EXTEND")
_FAMILIES = ("LOAD_FAST", "STORE_FAST", "POP_JUMP_")
_NAMES = {
    "BUILD_CONST_KEY_MAP": "a dict",
    "BUILD_LIST": "a list",
    "BUILD_MAP": "a dict",
    "BUILD_SET": "a set",
    "BUILD_STRING": "formatting of texts",
    "FORMAT_VALUE": "formatting of texts",
    "FORMAT_SIMPLE": "formatting of texts",
    "IMPORT_NAME": "an import",
    "IS_OP": "`is`",
    "LOAD_CLOSURE": "a function inside of it",
    "MAKE_CELL": "a function inside of it",
    "MAKE_FUNCTION": "a function inside of it",
    "PUSH_EXC_INFO": "`try`",
    "BEFORE_WITH": "`with`",
    "SETUP_FINALLY": "`try`",
    "STORE_ATTR": "an attribute that it assigns to",
    "STORE_GLOBAL": "a global that it assigns to",
    "STORE_SUBSCR": "an element that it assigns to",
    "YIELD_VALUE": "`yield`",
}


class _Visited(threading.local):
    """The functions that are being looked at, by this thread."""

    def __init__(self) -> None:
        self.functions: list[Any] = []

    def __contains__(self, function: Any) -> bool:
        return any(known is function for known in self.functions)

    def append(self, function: Any) -> None:
        self.functions.append(function)

    def pop(self) -> None:
        self.functions.pop()


_VISITED = _Visited()


# Instructions that may push values above a formatted text until it is a part of the result.
_PUSHES = ("LOAD_CONST", "LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_SMALL_INT", "PUSH_NULL")
_FORMATS = ("FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE", "BUILD_STRING")


def _check_formats(steps: list[dis.Instruction]) -> None:
    """Refuse formatted texts that are not returned at once: Python would look into what only stands for a text."""
    places = {step.offset: at for at, step in enumerate(steps)}

    def is_returned(at: int) -> bool:
        while steps[at].opname == "JUMP_FORWARD":
            at = places[steps[at].argval]
        return steps[at].opname == "RETURN_VALUE"

    def stays(at: int) -> bool:
        """Whether a text that step ``at`` has put on the stack lies there until it is a part of the result."""
        above = 0
        while not is_returned(at + 1):
            at += 1
            step = steps[at]
            if step.opname == "BUILD_STRING" and (step.arg or 0) > above:
                return is_returned(at + 1)
            effect = dis.stack_effect(step.opcode, step.arg)
            is_push = step.opname.startswith(_PUSHES) or step.opname in _FORMATS
            is_beneath = above > 0 and above + effect > 0 and step.opname not in ("SWAP", "COPY")
            if "JUMP" in step.opname or not (is_push or is_beneath):
                return False
            above += effect
        return above == 0

    if not all(stays(at) for at, step in enumerate(steps) if step.opname in _FORMATS):
        raise NotTraced("formatting of a text that is not returned at once")


def _check_code(code: types.CodeType, may_format: bool, may_collect: bool) -> None:
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise NotTraced("`yield` or `await`")
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise NotTraced("a parameter with `*`")
    before = None
    steps = list(dis.get_instructions(code))
    if may_format:
        _check_formats(steps)
    for step in steps:
        name = step.opname
        is_none = (
            before is not None and before.opname in ("LOAD_CONST", "RETURN_CONST") and before.argval is None
        )
        known = (
            name in _OPERATIONS
            or (may_format and name in _FORMATS)
            or (may_collect and name in _COLLECTS)
            or name.startswith(_FAMILIES)
            or (name == "IS_OP" and is_none)
            or (name == "CALL_INTRINSIC_1" and step.argrepr in _INTRINSICS)
        )
        if name in ("LOAD_ATTR", "LOAD_METHOD") and step.argval in ("format", "format_map", "__format__"):
            raise NotTraced("formatting of texts")
        if name in ("LOAD_ATTR", "LOAD_METHOD") and step.argval.startswith("_"):
            raise NotTraced(f"the attribute `{step.argval}`")
        if not known:
            raise NotTraced(_NAMES.get(name, f"the operation {name}"))
        before = step


def _shown(value: Any, name: str, names: Names) -> Any:
    """Return what a traced function sees of a value that it names: constants, and functions that note calls."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is tuple:
        return Members(_shown(part, name, names) for part in value)
    if type(value) in (list, set, frozenset):
        if any(type(part) not in (bool, int, float, str) for part in value):
            raise NotTraced(f"`{name}`, which is {_described(value)} of more than numbers and texts")
        return Collection(value)
    if type(value) is dict and names.formats:
        return Lookup(value, name)
    if value is math:
        return _Namespace("math", names.math)
    if callable(value):
        for known, function in names.functions.items():
            if value is known:
                return function
    if isinstance(value, types.FunctionType):
        library = value.__module__.partition(".")[0]
        if library not in names.frames:
            return _traceable(value, names)
        if value.__name__ not in names.frames[library]:
            raise NotTraced(f"{library}.{value.__qualname__}")
        return names.frames[library][value.__name__]
    if isinstance(value, type) and issubclass(value, Exception):
        return value
    if value is range:
        return value
    module = value.__name__ if isinstance(value, types.ModuleType) else type(value).__module__
    if module == "numpy":
        if isinstance(value, types.ModuleType):
            return _Namespace("numpy", names.numpy())
        if type(value).__name__ == "ufunc":
            functions = names.numpy()
            if value.__name__ in functions:
                return functions[value.__name__]
        if type(value).__name__ in ("float64", "int64", "bool"):
            return value
    if module in names.frames and isinstance(value, types.ModuleType):
        return _Namespace(module, names.frames[module])
    raise NotTraced(f"`{name}`, which is {_described(value)}")


def _looked_in(code: types.CodeType, names: Names) -> types.CodeType:
    """Return the code, in which an element is looked for at once among constants."""
    sought: set[int] = set()
    other: set[int] = set()
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    for step, following in itertools.pairwise(steps):
        if step.opname in ("LOAD_CONST", "KW_NAMES") and step.arg is not None:
            is_sought = step.opname == "LOAD_CONST" and following.opname == "CONTAINS_OP"
            (sought if is_sought else other).add(step.arg)
    constants = list(code.co_consts)
    for at in sought - other:
        if type(constants[at]) in (tuple, frozenset):
            constants[at] = _shown(constants[at], "a constant", names)
    return code.replace(co_consts=tuple(constants))


def _described(value: Any) -> str:
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    return f"a {type(value).__name__}"


def _traceable(function: types.FunctionType, known: Names) -> types.FunctionType:
    """Return a function of the same code that sees nothing but what can be traced."""
    if function in _VISITED:
        raise NotTraced("a call of itself")
    _VISITED.append(function)
    try:
        code = function.__code__
        _check_code(code, known.formats and len(_VISITED.functions) == 1, known.collects)
        names: dict[str, Any] = {"__builtins__": {"AssertionError": AssertionError}}
        for step in dis.get_instructions(code):
            name = step.argval
            if step.opname != "LOAD_GLOBAL" or name in names:
                continue
            if name in function.__globals__:
                names[name] = _shown(function.__globals__[name], name, known)
            elif hasattr(builtins, name):
                names[name] = _shown(getattr(builtins, name), name, known)
            else:
                raise NotTraced(f"the name `{name}`, which is not there")
        cells = []
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:
                raise NotTraced(f"`{name}`, which has no value") from None
            cells.append(types.CellType(_shown(value, name, known)))
        defaults = tuple(_shown(value, "a default", known) for value in function.__defaults__ or ())
        made = types.FunctionType(_looked_in(code, known), names, function.__name__, defaults, tuple(cells))
        made.__kwdefaults__ = {k: _shown(v, k, known) for k, v in (function.__kwdefaults__ or {}).items()}
        return made
    finally:
        _VISITED.pop()


class _Namespace:
    """The functions and constants of a module that can be traced."""

    def __init__(self, name: str, members: dict[str, Any]) -> None:
        self._name = name
        self._members = members

    def __getattr__(self, name: str) -> Any:
        try:
            return self._members[name]
        except KeyError:
            raise NotTraced(f"{self._name}.{name}") from None


def traceable_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], names: Names = ELEMENTS
) -> Callable[[Any], Any]:
    """Return the function of one element, row or group, of traceable parts: those that may be named."""
    if isinstance(function, functools.partial):
        args, kwargs = (*function.args, *args), {**function.keywords, **kwargs}
        if function.args:
            raise NotTraced("functools.partial with positional arguments")
        function = function.func
    library = getattr(function, "__module__", None) or ""
    if isinstance(function, types.FunctionType) and library.partition(".")[0] not in names.frames:
        shown: Any = _traceable(function, names)
    else:
        name = getattr(function, "__name__", "the function")
        shown = _shown(function, name, names)
        if not callable(shown) or isinstance(shown, (type, _Namespace)):
            raise NotTraced(f"`{name}`, which is {_described(function)}")
    args = tuple(_shown(value, "an argument", names) for value in args)
    kwargs = {name: _shown(value, name, names) for name, value in kwargs.items()}
    return lambda element: shown(element, *args, **kwargs)
