"""Which names of cuDF do what: each is called, and its result is compared; writes docs/api-coverage.md.

``python python/tests/cuprum/api_coverage.py`` writes the page; `test_api_coverage` fails where it is another.
"""

import io
import re
import types
import warnings
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from arguments_entries import as_cupy, refused
from coverage_calls import ABSENT, ARGUMENTS, CALLS, FRAMES, LESS, SUBJECTS
from oracle import assert_like, ours

import cuprum

matplotlib.use("Agg")

PAGE = Path(__file__).parents[3] / "docs" / "api-coverage.md"
NAMES = Path(__file__).with_name("cudf_names.txt")
# The kind that the tables of arguments know a class by.
KINDS = {
    "core.series.DatetimeProperties": "dt",
    "core.series.TimedeltaProperties": "td",
    "core.accessors.string.StringMethods": "str",
    "core.accessors.categorical.CategoricalAccessor": "cat",
    "core.accessors.lists.ListMethods": "list",
    "core.accessors.struct.StructMethods": "struct",
}
SECTIONS = {
    "character_normalizer": "Normalizing characters",
    "dataframe": "DataFrame",
    "extension_dtypes": "Types",
    "general_functions": "Functions",
    "general_utilities": "Testing",
    "groupby": "Groups",
    "index_objects": "Indexes",
    "io": "Files",
    "options": "Options",
    "performance_tracking": "Tracking of memory",
    "series": "Series",
    "tokenize_vocabulary": "Vocabularies",
    "window": "Windows",
    "wordpiece_tokenizer": "Word pieces",
}


class Outcome(NamedTuple):
    state: str  # supported, partial, absent or wrong
    why: str


def sections():
    """The names of the list by section, without ``cudf.``."""
    found = {}
    for line in NAMES.read_text().splitlines():
        if line.startswith("["):
            names = found.setdefault(line[1:-1], [])
        elif line:
            names.append(line.removeprefix("cudf."))
    return found


def subject_of(name):
    """The class, or the module, that a name is in, and its last part."""
    owner, _, last = name.rpartition(".")
    return owner, last


def environment(lib, code):
    """The names that ``code`` uses, each frame a new one."""
    names = {"lib": lib, "np": np, "pd": pd, "io": io, "as_cupy": as_cupy}
    for name, frame in FRAMES.items():
        if re.search(rf"\b{name}\b", code):
            names[name] = frame.copy() if lib is pd else ours(frame)
    if re.search(r"\blists\b", code):
        names["lists"] = lib.Series([[3, 1, 3], [2], None])
    if re.search(r"\bstructs\b", code):
        names["structs"] = lib.Series([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])
    return names


def run(code, lib):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(code, environment(lib, code))
        return list(result) if isinstance(result, types.GeneratorType | map | zip | enumerate) else result


def call_of(name):
    """The expression that calls ``name``, and what it has to give, where pandas does not say."""
    if name in CALLS:
        call = CALLS[name]
        return call if isinstance(call, tuple) else (call, None)
    owner, last = subject_of(name)
    if owner not in SUBJECTS:
        if name not in SUBJECTS:
            raise AttributeError(f"there is no {owner}")
        return SUBJECTS[name], None
    subject = SUBJECTS[owner]
    code = f"{subject}.{last}"
    if last in ARGUMENTS:
        return code + ARGUMENTS[last].replace("SUBJECT", subject), None
    return code + "()" if callable(run(code, cuprum)) else code, None


def refusals():
    """By kind and function the parameters of which values are refused that pandas does not refuse as well."""
    from test_arguments import TABLES, _itself, _of, _outcome

    def is_lack(kind, one):
        if not isinstance(one, refused) or one.error is not NotImplementedError:
            return False
        return not isinstance(_outcome(_of(kind, one.code), pd, _itself), NotImplementedError)

    found = {}
    for kind, functions in TABLES.items():
        for function, entries in functions.items():
            for parameter, entry in entries.items():
                values = entry if isinstance(entry, list) else [entry]
                if any(is_lack(kind, one) for one in values):
                    found.setdefault((kind, function), []).append(parameter)
    return found


def outcome(name, refusing):
    """What becomes of the call of a name."""
    try:
        code, expected = call_of(name)
        actual = run(code, cuprum)
    except (AttributeError, NotImplementedError, ImportError) as error:
        return Outcome("absent", str(error))
    except Exception as error:
        return Outcome("wrong", f"{type(error).__name__}: {error}")
    try:
        theirs = run(code if expected is None else expected, pd)
    except (AttributeError, TypeError) as error:
        return Outcome("wrong", f"{code}: pandas does not say what it gives ({error})")
    except Exception as error:
        return Outcome("wrong", f"{code}: pandas raises {error!r}")
    try:
        if isinstance(actual, (pd.DataFrame, pd.Series, pd.Index)):
            actual = ours(actual)
        if not isinstance(theirs, type) and not callable(theirs):
            columns = theirs.columns if isinstance(theirs, pd.DataFrame) else []
            assert_like(actual, theirs, kept=[..., *columns])
    except Exception as error:
        return Outcome("wrong", f"{code}: {type(error).__name__}: {error}")
    if name in LESS:
        return Outcome("partial", LESS[name])
    owner, last = subject_of(name)
    kind = KINDS.get(owner, owner.rpartition(".")[2])
    parameters = refusing.get((kind, last), []) or (
        refusing.get(("Index", last), []) if kind.endswith("Index") else []
    )
    return Outcome("partial", ", ".join(parameters)) if parameters else Outcome("supported", "")


def outcomes():
    """By section, by name, what becomes of the calls."""
    refusing = refusals()
    found = {}
    for section, names in sections().items():
        found[section] = {name: _checked(name, outcome(name, refusing)) for name in names}
    return found


def _checked(name, found):
    """The reason for what is absent stands in a table; what runs has none."""
    if found.state == "absent":
        return (
            Outcome("absent", ABSENT[name]) if name in ABSENT else Outcome("wrong", f"no reason: {found.why}")
        )
    if name in ABSENT and found.state != "wrong":
        return Outcome("wrong", "it runs, and a reason says why it does not")
    return found


_HEAD = """# What there is of cuDF's interface

Each name of cuDF's documentation (26.10), called with its ordinary arguments. What pandas has too gives pandas'
result; the rest is compared with what it is documented to give. `python/tests/cuprum/test_api_coverage.py` does it
and fails where this page says something else.

**{runs} of {all} names run ({share:.1f} %).** Of {partial} of them some values of an argument are refused, by name.
{absent} are absent.

| | names | run | refuse some values | absent |
|---|---:|---:|---:|---:|
"""


def page(found):
    """The text of the page."""
    states = [one.state for names in found.values() for one in names.values()]
    runs = states.count("supported") + states.count("partial")
    head = _HEAD.format(
        runs=runs,
        all=len(states),
        share=100 * runs / len(states),
        partial=states.count("partial"),
        absent=states.count("absent"),
    )
    lines, rest = [head.rstrip()], []
    for section, names in found.items():
        by_state = {
            state: {name: one.why for name, one in names.items() if one.state == state}
            for state in ("supported", "partial", "absent")
        }
        supported, partial, absent = by_state.values()
        lines.append(
            f"| {SECTIONS[section]} | {len(names)} | {len(supported) + len(partial)} | {len(partial)} | {len(absent)} |"
        )
        rest += ["", f"## {SECTIONS[section]}"]
        if supported:
            rest += ["", ", ".join(f"`{_short(name)}`" for name in supported)]
        if partial:
            rest += ["", "| some values are refused | of |", "|---|---|"]
            rest += [f"| `{_short(name)}` | {why} |" for name, why in partial.items()]
        if absent:
            rest += ["", "| absent | why |", "|---|---|"]
            rest += [f"| `{_short(name)}` | {why} |" for name, why in absent.items()]
    return "\n".join([*lines, *rest, ""])


def _short(name):
    """A name without the modules that it is in."""
    return re.sub(r"^(core|io|utils|testing)\.([a-z_]+\.)*", "", name)


if __name__ == "__main__":
    made = outcomes()
    for names in made.values():
        for name, one in names.items():
            if one.state == "wrong":
                print(f"{name}: {one.why}")
    PAGE.write_text(page(made))
