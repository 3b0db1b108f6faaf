"""What the tests have as ``pd``: Cuprum's where it has a name, else pandas'."""

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
