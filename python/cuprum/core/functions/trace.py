"""The trace of a Python function: the steps of its formula, its branches, and its guards."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum

__all__ = ["TYPES", "NotTraced", "Trace", "plain_kind"]

# Operations that are noted.
MOST_STEPS = 2000
# Questions on one way: a loop that asks for ever is none for a formula.
MOST_QUESTIONS = 10_000
# Storage of what has a kind of Python's; "np" is a float of NumPy, whose divisions by 0 are no errors.
TYPES = {"bool": "bool", "int": "int64", "float": "float64", "np": "float64", "str": "str"}


class NotTraced(Exception):
    """A function that no formula can stand for."""


def plain_kind(value: Any) -> str:
    """Return the kind of a value of Python or NumPy."""
    for kind, python in (("bool", bool), ("int", int), ("float", float), ("str", str)):
        if type(value) is python:
            return kind
    name = type(value).__name__
    if type(value).__module__ == "numpy" and name in ("float64", "int64", "bool"):
        return {"float64": "np", "int64": "int", "bool": "bool"}[name]
    raise NotTraced("None" if value is None else f"a {type(value).__name__}")


class Trace:
    """The trace of a function."""

    def __init__(self, columns: list[Any]) -> None:
        self.columns = columns
        self.marks: dict[str, Any] = {}
        self._ascii: dict[int, bool] = {}
        self.steps: list[tuple[Any, ...]] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self.answers: list[bool] = []
        self.asked: list[int] = []
        self.guards: dict[int, str] = {}
        # The rows whose elements the function gets, where those are not all.
        self.present: int | None = None
        self.questions = 0

    def step(self, *step: Any) -> int:
        """Note an operation on steps before, once, and return its number."""
        key = (*step, *(type(part) for part in step))
        if step[0] == "literal" and isinstance(step[1], float):
            key = (*key, step[1].hex())
        known = self._known.get(key)
        if known is None:
            if len(self.steps) >= MOST_STEPS:
                raise NotTraced(f"more than {MOST_STEPS} operations")
            self.steps.append(step)
            known = self._known[key] = len(self.steps) - 1
        return known

    def literal(self, value: Any) -> int:
        """Return the step that is a constant."""
        return self.step("literal", value, TYPES[plain_kind(value)])

    def is_ascii(self, position: int) -> bool:
        """Whether a column of texts has ASCII alone."""
        known = self._ascii.get(position)
        if known is None:
            literals: list[tuple[Any, ...]] = [("literal", False, "bool"), ("literal", True, "bool")]
            steps = [("column", 0), ("isascii", 0), *literals, ("choose", 1, 2, 3)]
            try:
                (is_other,) = _cuprum.formula_any([self.columns[position]], steps, [4])
            except NotImplementedError as error:  # on a GPU, where nothing goes by way of the host
                raise NotTraced(str(error)) from None
            known = self._ascii[position] = not is_other
        return known

    def mark(self, printed: Any) -> str:
        """Return a text that stands for a stand-in of a text, within what Python puts together of texts."""
        mark = f"\0{id(self):x}:{len(self.marks)}\0"
        self.marks[mark] = printed
        return mark

    def both(self, left: int, right: int) -> int:
        """Return the condition that holds where both do."""
        return self.step("&", left, right)

    def negated(self, flag: int) -> int:
        """Return the condition that holds where this one does not, or is missing."""
        return self.step("choose", flag, self.literal(False), self.literal(True))

    def way(self) -> int:
        """Return the condition under which the function is where it is."""
        way = self.literal(True) if self.present is None else self.present
        for flag, answer in zip(self.asked, self.answers, strict=False):
            way = self.both(way, flag if answer else self.negated(flag))
        return way

    def guard(self, flag: int, what: str) -> None:
        """Note that no row on the way here may be so."""
        self.guards.setdefault(self.both(self.way(), flag), what)

    def ask(self, flag: int) -> bool:
        """Return which way the function takes this time at the question whether a condition holds."""
        self.questions += 1
        if self.questions > MOST_QUESTIONS:
            raise NotTraced(f"more than {MOST_QUESTIONS} questions whether something is true")
        if flag in self.asked:
            return self.answers[self.asked.index(flag)]
        if len(self.asked) == len(self.answers):
            self.answers.append(True)
        self.asked.append(flag)
        return self.answers[len(self.asked) - 1]
