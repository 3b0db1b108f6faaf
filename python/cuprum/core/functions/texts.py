# ruff: noqa: D102 - the methods are those of `str`
"""Stand-ins for texts, what Python's operators and methods note of them, and collections that are looked in.

Functions of texts are those of Python, character by character. Where one would raise there is a guard. Letters that
Unicode has got lately have properties here that they may not have there: a guard keeps them away from what depends on
properties.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from cuprum.core.functions.trace import NotTraced, Trace
from cuprum.core.functions.tracer import INT64, Traced, compare, kind_of, number_of

__all__ = [
    "TEXT_METHODS",
    "TEXT_STEPS",
    "Collection",
    "Lookup",
    "Members",
    "Text",
    "formatted",
    "length",
    "number_from",
    "put_together",
    "text_of",
]

# Widths and repetitions that are asked for without a thought of memory.
MOST_CHARACTERS = 10_000
# Numbers that are compared one by one.
MOST_COMPARED = 64
# Patterns of texts that are numbers of Python, but for rare ones (`1_000`, digits of other scripts).
NUMBERS = {
    "int": r"[+-]?[0-9]{1,18}",
    "float": r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?",
}
# Characters with the same properties here and in every Python from 3.11 on: those of Unicode 14 but for a few, which
# have got a capital or another category since.
KNOWN = r"[^\P{Age=14.0}\u019b\u0264\u0295\u10fc\ua7d3\ua7d5\ua7f2-\ua7f4\uab69]*"

# Methods that take nothing, by whether they depend on the properties of letters.
_PLAIN = {
    "upper": "str", "lower": "str", "title": "str", "capitalize": "str", "swapcase": "str",
    "isalpha": "bool", "isdecimal": "bool", "isdigit": "bool", "isnumeric": "bool", "isalnum": "bool",
    "isspace": "bool", "isascii": "bool", "islower": "bool", "isupper": "bool", "istitle": "bool",
}  # fmt: skip


# Steps that are functions of texts.
TEXT_STEPS = frozenset(
    (*_PLAIN, "len", "strip", "lstrip", "rstrip", "startswith", "endswith", "contains", "find", "rfind", "count",
     "replace", "removeprefix", "removesuffix", "slice", "part", "ljust", "rjust", "center", "zfill", "repeat",
     "parsed", "fullmatch", "is_in")
)  # fmt: skip


class Text(Traced):
    """A stand-in for a text."""

    # The columns that its characters are of; None among them for letters of the function beyond ASCII.
    __slots__ = ("origin",)

    def __init__(
        self, trace: Trace, number: int, origin: frozenset[int | None], may_miss: bool = False
    ) -> None:
        super().__init__(trace, number, "str", may_miss)
        self.origin = origin

    __hash__ = None

    def _present(self) -> int:
        """Return the step of the text, which no element on the way here lacks."""
        if self.may_miss:
            self.trace.guard(self.trace.step("missing", self.number), "a missing text")
        return self.number

    def _made(self, *step: Any, beside: Any = "") -> Text:
        """Return the text of a step of this text, with characters of another one."""
        return Text(self.trace, self.trace.step(*step), self.origin | _origin(beside))

    def _flag(self, *step: Any) -> Traced:
        return Traced(self.trace, self.trace.step(*step), "bool")

    def _count(self, *step: Any, low: int = 0) -> Traced:
        number = self.trace.step("cast", self.trace.step(*step), "int64")
        return Traced(self.trace, number, "int", bounds=(low, 2**31 - 1))

    def _check_letters(self) -> None:
        """Note that no letter may be one that this Python may not know."""
        trace = self.trace
        if None not in self.origin and all(
            trace.is_ascii(position) for position in self.origin if position is not None
        ):
            return
        known = trace.step("fullmatch", self.number, KNOWN)
        trace.guard(trace.negated(known), "letters that not every Python knows")

    # Operators.

    def __add__(self, other: Any) -> Any:
        return self._joined(other, False)

    def __radd__(self, other: Any) -> Any:
        return self._joined(other, True)

    def _joined(self, other: Any, reflected: bool) -> Any:
        if not isinstance(other, Text) and type(other) is not str:
            kind_of(other)
            raise TypeError("only a text can be added to a text")
        here = self._present()
        if type(other) is str and not other:
            return self
        there = other._present() if isinstance(other, Text) else self.trace.literal(other)
        return self._made("+", *((there, here) if reflected else (here, there)), beside=other)

    def __mul__(self, times: Any) -> Any:
        if isinstance(times, Traced):
            raise NotTraced("`*` of a text and an element")
        if not isinstance(times, int):
            raise TypeError("can't multiply a text by what is no integer")
        _check_size(times)
        return self._made("repeat", self._present(), max(int(times), 0))

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> Any:
        raise NotTraced("formatting of texts")

    def __contains__(self, part: Any) -> Any:
        if isinstance(part, Text):
            raise NotTraced("a text of elements that is looked for")
        if type(part) is not str:
            raise TypeError("'in <string>' requires string as left operand")
        return self._flag("contains", self._present(), part)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            ends = [_place(end) for end in (key.start, key.stop, key.step)]
            if ends[2] == 0:
                raise ValueError("slice step cannot be zero")
            return self._made("slice", self._present(), *ends)
        if isinstance(key, Traced):
            raise NotTraced("a position in a text that is computed")
        if not isinstance(key, int):
            raise TypeError("string indices must be integers")
        at = max(-(2**40), min(int(key), 2**40))
        trace = self.trace
        shortest = at + 1 if at >= 0 else -at
        count = trace.step("cast", trace.step("len", self._present()), "int64")
        trace.guard(trace.step("<", count, trace.literal(shortest)), "IndexError: string index out of range")
        return self._made("slice", self.number, at, at + 1 if at != -1 else None, None)

    # Methods with arguments.

    def strip(self, chars: Any = None, /) -> Any:
        return self._stripped("strip", chars)

    def lstrip(self, chars: Any = None, /) -> Any:
        return self._stripped("lstrip", chars)

    def rstrip(self, chars: Any = None, /) -> Any:
        return self._stripped("rstrip", chars)

    def _stripped(self, name: str, chars: Any) -> Any:
        _check(name, chars)
        return self._made(name, self._present(), chars)

    def startswith(self, prefix: Any, /, *places: Any) -> Any:
        return self._ends("startswith", prefix, places)

    def endswith(self, suffix: Any, /, *places: Any) -> Any:
        return self._ends("endswith", suffix, places)

    def _ends(self, name: str, texts: Any, places: tuple[Any, ...]) -> Any:
        _check(name, texts)
        if places:
            raise NotTraced(f"{name} with positions")
        here = self._present()
        several = texts if isinstance(texts, tuple) else (texts,)
        if not several:
            return False
        return _any_of([self._flag(name, here, text) for text in several])

    def find(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        return self._found("find", sub, start, end)

    def rfind(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        return self._found("rfind", sub, start, end)

    def _found(self, name: str, sub: Any, start: Any, end: Any) -> Any:
        _check(name, sub, start, end)
        return self._count(name, self._present(), sub, _place(start), _place(end), low=-1)

    def index(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        return self._certain(self._found("find", sub, start, end))

    def rindex(self, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        return self._certain(self._found("rfind", sub, start, end))

    def _certain(self, found: Traced) -> Traced:
        trace = self.trace
        trace.guard(trace.step("<", found.number, trace.literal(0)), "ValueError: substring not found")
        return found

    def count(self, sub: Any, /, *places: Any) -> Any:
        _check("count", sub)
        if places:
            raise NotTraced("count with positions")
        return self._count("count", self._present(), sub)

    def replace(self, old: Any, new: Any, count: Any = -1, /) -> Any:
        _check("replace", old, new, count)
        most = None if count < 0 else min(int(count), INT64[1])
        if len(new) > MOST_CHARACTERS:
            raise NotTraced(f"a text of more than {MOST_CHARACTERS} characters")
        return self._made("replace", self._present(), old, new, most, beside=new)

    def removeprefix(self, prefix: Any, /) -> Any:
        _check("removeprefix", prefix)
        return self._made("removeprefix", self._present(), prefix)

    def removesuffix(self, suffix: Any, /) -> Any:
        _check("removesuffix", suffix)
        return self._made("removesuffix", self._present(), suffix)

    def zfill(self, width: Any, /) -> Any:
        _check("zfill", width)
        _check_size(width)
        return self._made("zfill", self._present(), max(int(width), 0))

    def ljust(self, width: Any, fillchar: Any = " ", /) -> Any:
        return self._padded("ljust", width, fillchar)

    def rjust(self, width: Any, fillchar: Any = " ", /) -> Any:
        return self._padded("rjust", width, fillchar)

    def center(self, width: Any, fillchar: Any = " ", /) -> Any:
        return self._padded("center", width, fillchar)

    def _padded(self, name: str, width: Any, fill: Any) -> Any:
        _check(name, width, fill)
        _check_size(width)
        return self._made(name, self._present(), max(int(width), 0), fill, beside=fill)

    def split(self, sep: Any = None, maxsplit: Any = -1) -> Any:
        _check("split", sep, maxsplit)
        return Parts(self, sep, None if maxsplit < 0 else int(maxsplit))

    def __getattr__(self, name: str) -> Any:
        raise NotTraced(f"the method `{name}` of a text")


class Parts:
    """A stand-in for the parts of a text, which knows how many there are and each of them."""

    __slots__ = ("most", "separator", "text")

    def __init__(self, text: Text, separator: str | None, most: int | None) -> None:
        self.text = text
        self.separator = separator
        self.most = most

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (Traced, slice)):
            raise NotTraced("a part of a text that is computed, or several")
        if not isinstance(key, int):
            raise TypeError("list indices must be integers or slices")
        text, at = self.text, max(-(2**40), min(int(key), 2**40))
        if self.most is not None and not 0 <= at < self.most:
            raise NotTraced("a part of a text behind the number of splits")
        trace = text.trace
        part = text._made("part", text._present(), self.separator, at)
        if self.separator is None or at not in (0, -1):
            missing = trace.step("missing", part.number)
            trace.guard(missing, "IndexError: list index out of range")
        return part

    def __len__(self) -> int:
        raise NotTraced("the number of parts of a text")

    def __bool__(self) -> bool:
        raise NotTraced("the parts of a text as a condition")

    def __iter__(self) -> Iterator[Any]:
        raise NotTraced("iteration over the parts of a text")

    def __contains__(self, part: Any) -> bool:
        raise NotTraced("`in` the parts of a text")

    def _refuse(self, other: Any) -> Any:
        raise NotTraced("an operator of the parts of a text")

    __hash__ = None  # type: ignore[assignment]
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = _refuse

    def __getattr__(self, name: str) -> Any:
        raise NotTraced(f"the attribute `{name}` of the parts of a text")


def _plain_method(name: str, kind: str) -> Callable[[Text], Any]:
    def method(self: Text) -> Any:
        here = self._present()
        if name != "isascii":
            self._check_letters()
        return self._made(name, here) if kind == "str" else self._flag(name, here)

    method.__name__ = name
    return method


for _name, _kind in _PLAIN.items():
    setattr(Text, _name, _plain_method(_name, _kind))


def _method_of_any(name: str) -> Callable[..., Any]:
    def method(value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, (Text, str)):
            raise TypeError(f"descriptor '{name}' for 'str' objects doesn't apply to this object")
        return getattr(value, name)(*args, **kwargs)

    return method


# `str.upper` and its like, by what stands for them.
TEXT_METHODS: dict[Any, Any] = {
    getattr(str, name): _method_of_any(name)
    for name in (
        *_PLAIN, "strip", "lstrip", "rstrip", "startswith", "endswith", "find", "rfind", "index", "rindex",
        "count", "replace", "removeprefix", "removesuffix", "zfill", "ljust", "rjust", "center",
    )
}  # fmt: skip


def _origin(text: Any) -> frozenset[int | None]:
    if isinstance(text, Text):
        return text.origin
    return frozenset() if text.isascii() else frozenset([None])


def _check(name: str, *args: Any) -> None:
    """Have Python look at the arguments of a method, and refuse those that are elements."""
    if any(
        isinstance(arg, Traced) or (isinstance(arg, tuple) and any(isinstance(a, Traced) for a in arg))
        for arg in args
    ):
        raise NotTraced(f"{name} with elements as arguments")
    getattr("", name)(*args)


def _check_size(size: Any) -> None:
    if size > MOST_CHARACTERS:
        raise NotTraced(f"a text of more than {MOST_CHARACTERS} characters")


def _place(end: Any) -> int | None:
    """Return a position of 64 bits that means the same."""
    if isinstance(end, Traced):
        raise NotTraced("a position in a text that is computed")
    if end is not None and not isinstance(end, int):
        raise TypeError("slice indices must be integers or None")
    return None if end is None else max(-(2**40), min(int(end), 2**40))


def length(value: Any) -> Any:
    """Return the result of ``len``."""
    if isinstance(value, Text):
        return value._count("len", value._present())
    if isinstance(value, Traced):
        raise TypeError("object of this type has no len()")
    return len(value)


def text_of(value: Any) -> Any:
    """Return the result of ``str``."""
    if not isinstance(value, Traced):
        return str(value)
    if isinstance(value, Text):
        value._present()
        return value
    if value.kind in ("np", "time"):
        raise NotTraced("str of a number of NumPy or a time")
    trace = value.trace
    printed = trace.step("cast", value.number, "str")
    if value.may_miss:
        printed = trace.step("choose", trace.step("missing", value.number), trace.literal("nan"), printed)
    return Text(trace, printed, frozenset())


def formatted(value: Traced, how: str) -> Text:
    """Return the result of ``format``: without a format, with a width of texts and integers, or with zeros before them."""
    printed = text_of(value)
    if not how:
        return printed
    if value.kind == "int" and (zeros := re.fullmatch(r"0([1-9][0-9]{0,3})d?", how)):
        return printed.zfill(int(zeros[1]))
    width = re.fullmatch(r"([<>]?)([1-9][0-9]{0,3})(d?)", how)
    if width is None or value.kind not in ("str", "int") or (width[3] and value.kind == "str"):
        raise NotTraced(f"the format {how!r}")
    is_left = width[1] == "<" or (not width[1] and value.kind == "str")
    return printed.ljust(int(width[2])) if is_left else printed.rjust(int(width[2]))


def put_together(trace: Trace, text: str) -> Any:
    """Return a text of Python, or the stand-in for one in which formatted elements are marked."""
    if not trace.marks or not any(mark in text for mark in trace.marks):
        return text
    parts = re.split("(" + "|".join(map(re.escape, trace.marks)) + ")", text)
    made: Any = ""
    for part in filter(None, parts):
        made = made + trace.marks.get(part, part)
    return made


def number_from(text: Text, kind: str) -> Traced:
    """Return the integer or float that a text says."""
    trace = text.trace
    stripped = trace.step("strip", text._present(), None)
    parsed = trace.step("parsed", stripped, "int64" if kind == "int" else "float64")
    other = trace.negated(trace.step("fullmatch", stripped, NUMBERS[kind]))
    trace.guard(trace.step("|", other, trace.step("missing", parsed)), f"a text that is no simple {kind}")
    if kind == "float":
        return Traced(trace, parsed, "float")
    return Traced(trace, parsed, "int", bounds=(-(10**18), 10**18))


class Members(tuple[Any, ...]):
    """A tuple, in which an element is looked for at once."""

    __slots__ = ()

    def __contains__(self, value: Any) -> Any:
        if not isinstance(value, Traced):
            return tuple.__contains__(self, value)
        if any(type(one) not in (bool, int, float, str) for one in self):
            return any(value == one for one in self)
        if any(one != one for one in self):
            raise NotTraced("NaN among values in which an element is looked for")
        trace, number = value.trace, value.number
        if value.kind == "str":
            texts = tuple(dict.fromkeys(one for one in self if type(one) is str))
            if not texts:
                return False
            flag = (
                trace.step("is_in", number, texts, "str")
                if len(texts) > 1
                else trace.step("==", number, trace.literal(texts[0]))
            )
        else:
            numbers = [one for one in self if type(one) is not str]
            if len(numbers) <= MOST_COMPARED or value.kind == "bool":
                flags = [compare("==", value, one) for one in numbers]
                return _any_of(flags) if flags else False
            exact = {int: _exact_integer, float: _exact_float}[int if value.kind == "int" else float]
            found = tuple(dict.fromkeys(one for one in map(exact, numbers) if one is not None))
            if not found:
                return False
            flag = trace.step("is_in", number, found, "int64" if value.kind == "int" else "float64")
        if value.may_miss:
            flag = trace.step("choose", flag, trace.literal(True), trace.literal(False))
        return Traced(trace, flag, "bool")


class Lookup:
    """A dict of numbers or texts, in which an element is looked up."""

    __slots__ = ("_items",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: dict[Any, Any], name: str) -> None:
        plain = (bool, int, float, str)
        if any(type(one) not in plain or one != one for pair in items.items() for one in pair):
            raise NotTraced(f"`{name}`, which is a dict of more than numbers and texts")
        self._items = dict(items)

    def __contains__(self, key: Any) -> Any:
        return key in Members(self._items)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, Traced):
            return self._items[key]
        found, value = self._found(key)
        if not found:
            raise KeyError(key.kind)
        key.trace.guard(key.trace.negated(_any_of(found).number), "a key that is not in a dict")
        return value

    def get(self, key: Any, default: Any = None, /) -> Any:
        if not isinstance(key, Traced):
            return self._items.get(key, default)
        found, value = self._found(key)
        if not found:
            return default
        return value if _any_of(found) else default

    def _found(self, key: Traced) -> tuple[list[Any], Any]:
        """Return under which conditions a key is found, and the value of the one that is."""
        trace = key.trace
        pairs = [(compare("==", key, one), value) for one, value in self._items.items()]
        pairs = [(flag, value) for flag, value in pairs if isinstance(flag, Traced)]
        if len(pairs) > MOST_COMPARED:
            raise NotTraced(f"a dict of more than {MOST_COMPARED} keys")
        kinds = {type(value) for _, value in pairs}
        if len(kinds) > 1:
            raise NotTraced("a dict of values of different types")
        if not pairs:
            return [], None
        chosen = number_of(trace, pairs[-1][1])
        for flag, value in pairs[-2::-1]:
            chosen = trace.step("choose", flag.number, number_of(trace, value), chosen)
        flags, values = [flag for flag, _ in pairs], [value for _, value in pairs]
        kind = kind_of(values[0])
        if kind == "str":
            return flags, Text(trace, chosen, frozenset().union(*map(_origin, values)))
        bounds = (min(values), max(values)) if kind == "int" else INT64
        return flags, Traced(trace, chosen, kind, bounds=bounds)

    def __getattr__(self, name: str) -> Any:
        raise NotTraced(f"the attribute `{name}` of a dict")

    def _refuse(self, *_: Any) -> Any:
        raise NotTraced("a dict that is more than looked in")

    __eq__ = __ne__ = __or__ = __ror__ = __iter__ = __len__ = __bool__ = _refuse


def _any_of(flags: list[Any]) -> Any:
    """Return whether one of conditions holds, as a tree that is not deep."""
    while len(flags) > 1:
        pairs = zip(flags[::2], flags[1::2], strict=False)
        flags = [a | b for a, b in pairs] + ([flags[-1]] if len(flags) % 2 else [])
    return flags[0]


def _exact_integer(number: Any) -> int | None:
    if isinstance(number, float) and not number.is_integer():
        return None
    return int(number) if INT64[0] <= number <= INT64[1] else None


def _exact_float(number: Any) -> float | None:
    try:
        return float(number) if float(number) == number else None
    except OverflowError:
        return None


class Collection(Members):
    """A list or a set, which is looked in and gone through."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _refuse(self, *_: Any) -> Any:
        raise NotTraced("a list or a set that is more than looked in")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = __getitem__ = _refuse

    def __iter__(self) -> Iterator[Any]:
        return tuple.__iter__(self)
