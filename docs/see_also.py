"""The sections "See Also" of the reference: names that pandas has there, where we have them too.

The names are read from the pandas that is installed, the text beside a name is the first sentence of our own docstring.
What a docstring of ours says itself stays and comes first.
"""

import inspect
import re

import pandas
from numpydoc.docscrape import NumpyDocString
from reference_pages import Entry

SECTION = "See Also"


def counterpart(path: str) -> object | None:
    """What pandas has under a name of ours."""
    found = pandas
    for part in path.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def named_by_pandas(path: str) -> list[str]:
    """The names that pandas' docstring for a name of ours refers to."""
    text = inspect.getdoc(counterpart(path)) or ""
    if SECTION not in text:
        return []
    items = NumpyDocString(text)[SECTION]
    return [name.removeprefix("pandas.") for names, _ in items for name, _ in names]


def resolved(name: str, owner: str, entries: dict[str, Entry]) -> str | None:
    """Our entry of a name, as an entry of `owner` refers to it."""
    if name.startswith("core."):
        name = ".".join(name.split(".")[-2:])
    kind, _, member = name.rpartition(".")
    places = [f"cuprum.{name}", f"cuprum.api.typing.{name}", f"{owner}.{name}", name]
    if kind.endswith("Index"):
        places.append(f"cuprum.Index.{member}")
    return next((place for place in places if place in entries), None)


def related(path: str, entries: dict[str, Entry]) -> list[str]:
    """The entries that pandas names beside this one, but for itself."""
    owner = path.rpartition(".")[0]
    found = (resolved(name, owner, entries) for name in named_by_pandas(path))
    return [name for name in dict.fromkeys(found) if name not in {None, path}]


def add(path: str, lines: list[str], entries: dict[str, Entry]) -> None:
    """Add to a docstring what pandas names and it does not."""
    if path not in entries or not path.startswith("cuprum."):
        return
    owner, names = path.rpartition(".")[0], related(path, entries)
    at = next((number for number, line in enumerate(lines) if line.strip() == SECTION), None)
    if at is None:
        at = len(lines)
        lines += ["", SECTION, "-" * len(SECTION)] if names else []
        own = []
    else:
        rest = lines[at + 2 :]
        end = next((number for number, line in enumerate(rest) if not line.strip()), len(rest))
        own = [
            resolved(name, owner, entries)
            for name in re.findall(r"^\s*([\w.]+)", "\n".join(rest[:end]), re.M)
        ]
        at += 2 + end
    new = [f"{name} : {entries[name].summary}" for name in names if name not in own]
    if own:
        lines[at:at] = new
    else:
        lines.extend(new)
