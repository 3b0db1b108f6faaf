"""Run the examples in pandas' docstrings with Cuprum as ``pd``, beside pandas: ``docstrings.py [TEXT] [--show]``.

Each statement runs in both; a line says for each class or function how many run and how many give the same: cells,
labels and what is printed. Statements that fail in pandas are left out, but for errors that a docstring shows: their
class is to be the same. After one that fails the others of its docstring go on, and mostly fail, too.
"""

import contextlib
import doctest
import inspect
import io
import os
import signal
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib
import numpy
import pandas

import cuprum
from pandas_suite import comparison

matplotlib.use("Agg")

SECONDS = 20  # for a statement


def documented() -> dict[str, Any]:
    """Return pandas' public classes and functions by name, with those that methods return."""
    found = {name: getattr(pandas, name) for name in dir(pandas) if not name.startswith("_")}
    found = {
        name: one
        for name, one in found.items()
        if (inspect.isclass(one) or inspect.isroutine(one)) and name != "test"  # which runs its own tests
    }
    series = pandas.Series(pandas.date_range("2020", periods=2))
    texts = pandas.Series(["a"])
    frame = pandas.DataFrame({"k": [1], "v": [1]})
    returned = [
        *(series.dt, texts.str, texts.astype("category").cat, frame.groupby("k"), frame.groupby("k").v),
        *(frame.rolling(1), frame.expanding(), frame.ewm(1), series.to_frame(0).set_index(0).resample("D")),
        *(frame.style, frame.plot, frame.loc, frame.iloc, frame.at, frame.iat, (series - series[0]).dt),
    ]
    return found | {type(one).__name__: type(one) for one in returned}


def examples(name: str, one: Any) -> list[doctest.DocTest]:
    """Return the examples of a function, or of a class and its methods, those of its bases included."""
    finder, parser = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestParser()
    if not inspect.isclass(one):
        return [test for test in finder.find(one, name, globs={}) if test.examples]
    tests = []
    for member in ["", *(key for key in dir(one) if not key.startswith("_"))]:
        doc = inspect.getdoc(getattr(one, member) if member else one) or ""
        try:
            test = parser.get_doctest(doc, {}, f"{name}.{member}".rstrip("."), None, None)
        except ValueError:  # no well-formed example
            continue
        if test.examples:
            tests.append(test)
    return tests


def outcome(source: str, scope: dict[str, Any]) -> tuple[Any, str]:
    """Run a statement and return its value, None for one without, and what it printed."""
    values: list[Any] = []
    printed = io.StringIO()
    before, sys.displayhook = sys.displayhook, values.append
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(source, "<example>", "single"), scope)
    finally:
        signal.alarm(0)
        sys.displayhook = before
    return values[0] if values else None, printed.getvalue()


def is_same(ours: Any, theirs: Any) -> bool:
    """Whether two values are the same: cells and labels, else what is shown."""
    ours = comparison._pandas(ours)
    if isinstance(theirs, tuple) and isinstance(ours, tuple):
        return len(ours) == len(theirs) and all(map(is_same, ours, theirs))
    if isinstance(theirs, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return all(
            comparison._same(part(ours), part(theirs)) for part in (comparison._cells, comparison._labels)
        )
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return list(ours) == list(theirs) and all(is_same(ours[key], theirs[key]) for key in theirs)
    if comparison._same(comparison._cells(ours), comparison._cells(theirs)):
        return True
    shown = [str(side).split(" object at ")[0].split(".")[-1] for side in (ours, theirs)]
    return shown[0] == shown[1]


def _is_alike(ours: Exception, theirs: Exception) -> bool:
    """Whether an error is of a class that Python has and pandas' is of."""
    builtin = next(kind for kind in type(theirs).__mro__ if kind.__module__ == "builtins")
    return isinstance(ours, builtin)


def judged(example: doctest.Example, ours: dict[str, Any], theirs: dict[str, Any]) -> str | None:
    """Return ``same``, ``other`` or the error of a statement; None where pandas fails."""
    source, drawn = example.source, numpy.random.get_state()
    try:
        wanted, expected = outcome(source, theirs), None
    except Exception as error:
        if not example.exc_msg:
            return None
        expected = error
    after = numpy.random.get_state()
    numpy.random.set_state(drawn)  # both draw the same numbers
    try:
        found = outcome(source, ours)
    except Exception as error:
        if expected is not None:
            return "same" if _is_alike(error, expected) else "other"
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    finally:
        numpy.random.set_state(after)
    if expected is not None:
        return "other"
    return "same" if is_same(found[0], wanted[0]) and found[1] == wanted[1] else "other"


def main() -> None:
    """Run them and print."""
    chosen = [one for one in sys.argv[1:] if not one.startswith("-")]
    show = "--show" in sys.argv

    def late(*_: Any) -> None:
        raise TimeoutError(f"takes more than {SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    os.chdir(tempfile.mkdtemp())
    total: Counter[str] = Counter()
    known: set[str] = set()
    for name, one in documented().items():
        counts: Counter[str] = Counter()
        for test in examples(name, one):
            if test.docstring in known or (chosen and not any(text in test.name for text in chosen)):
                continue
            known.add(test.docstring)
            ours, theirs = ({"np": numpy, "pd": library} for library in (cuprum, pandas))
            for example in test.examples:
                result = judged(example, ours, theirs)
                if result is None:
                    continue
                kind = result if result in ("same", "other") else "fails"
                counts[kind] += 1
                if show and kind != "same":
                    print(f"{test.name}: {example.source.strip()}\n    {result}")
        if counts:
            print(
                f"{name:28}{counts.total():6}{counts['same'] + counts['other']:6} run{counts['same']:6} same"
            )
        total += counts
    run = total["same"] + total["other"]
    print(
        f"{total.total()} statements: {run / total.total():.1%} run, {total['same'] / total.total():.1%} give the same"
    )


if __name__ == "__main__":
    main()
