"""The page "Options and environment variables" of the reference, from the options and the code that reads variables."""

import re
from pathlib import Path
from typing import NamedTuple

from cuprum import options

ROOT = Path(__file__).parents[1]


class Variable(NamedTuple):
    """An environment variable that is no option."""

    default: str
    values: str
    does: str
    read: str


VARIABLES = {
    "CUPRUM_NUM_THREADS": Variable(
        "all cores", "a number", "How many threads work.", "when the first work is shared among threads"
    ),
    "CUPRUM_LOGGING_LEVEL": Variable(
        "``WARN``",
        "``TRACE``, ``DEBUG``, ``INFO``, ``WARN``, ``ERROR``, ``CRITICAL``, ``OFF``",
        "The lowest level that is logged; else ``LIBCUDF_LOGGING_LEVEL`` says it.",
        "before the first message",
    ),
    "CUPRUM_DEBUG_LOG_FILE": Variable(
        "standard error",
        "a path",
        "The file that messages are appended to; else ``LIBCUDF_DEBUG_LOG_FILE`` names it.",
        "before the first message",
    ),
    "CUPRUM_PROGRESS": Variable(
        "on",
        "``0``: off",
        "Whether a line shows how far long reading or writing has come, in a terminal and in notebooks.",
        "whenever a file is read or written",
    ),
    "CUPRUM_CACHE_DIR": Variable(
        "``cuprum`` in ``XDG_CACHE_HOME``, else in ``~/.cache``",
        "a directory",
        "Where compiled kernels are kept.",
        "when the first kernel is needed",
    ),
    "CUPRUM_NVRTC": Variable(
        "sought in Python's packages, by the loader and in ``CUDA_HOME``, ``CUDA_PATH`` and ``/usr/local/cuda*``",
        "a path of ``libnvrtc.so``, or its directory",
        "Which of NVIDIA's compilers makes kernels.",
        "when the first kernel is compiled",
    ),
    "CUPRUM_KERNEL_DEBUG": Variable(
        "off",
        "``1``: on",
        "Whether kernels for GPUs are compiled for a debugger (``cuda-gdb``), without optimising.",
        "when the first kernel is needed",
    ),
    "CUPRUM_LIBRARY_HOOKS": Variable(
        "on",
        "``0``: off",
        "Whether libraries such as seaborn and scikit-learn are adapted, so that they take frames.",
        "when ``cuprum`` is imported",
    ),
    "CUPRUM_DASK_GPUS": Variable(
        "not set",
        "numbers of GPUs, such as ``0,1,2,3``",
        "The GPUs that Dask's workers of this machine share: each sees one of them first.",
        "when a worker starts, by ``cuprum.dask.preload``",
    ),
    "CUPRUM_EMULATOR_SCHEDULE": Variable(
        "``fifo``",
        "``fifo``, ``reverse``, ``random:SEED``",
        "The order of threads on the emulator; for tests of kernels.",
        "at every launch on the emulator",
    ),
    "CUPRUM_EMULATOR_CHECK": Variable(
        "not set",
        "``race``",
        "Whether the emulator looks for races; for tests of kernels.",
        "at every launch on the emulator",
    ),
    "CUPRUM_EMULATOR_SEEDS": Variable(
        "``1``",
        "a number",
        "How many random orders of threads a test of a kernel tries; of the tests in Rust alone.",
        "at every test",
    ),
    "CUPRUM_TRACK_STACKS": Variable(
        "not set",
        "anything",
        "Whether memory that a test leaks is reported with its origin; of the tests in Rust alone.",
        "at every test",
    ),
    "RMM_LOG_FILE": Variable(
        "not set",
        "a path",
        "The file of ``cuprum.rmm.mr.LoggingResourceAdaptor`` where it is given none.",
        "when one is made",
    ),
}

# The values that pass a check of an option.
VALUES = {
    "_flag": "True, False",
    "_count": "0, 1, …",
    "_count_or_none": "0, 1, …, None",
    "_bits": "32, 64, None",
    "_path_or_none": "a directory, None",
    "_device": "'cpu', 'cuda', 'cuda:N', 'auto', 'emulator'",
    "_fallback": "'error', 'warn', 'host'",
    "_as_pandas": "those of pandas",
}


def source_files() -> list[Path]:
    """The code of the packages and crates, but for tests, benchmarks and examples."""
    files = [
        *ROOT.glob("crates/*/src/**/*.rs"),
        *ROOT.glob("python/cuprum/**/*.py"),
        *ROOT.glob("python/pylibcuprum/**/*.py"),
    ]
    return [
        file
        for file in files
        if file.parts[len(ROOT.parts) + 1] != "testing" and not file.stem.endswith("tests")
    ]


def variables_in_code() -> set[str]:
    """The variables ``CUPRUM_…`` that code reads by their whole names."""
    found = set()
    for file in source_files():
        code = file.read_text().partition("#[cfg(test)]\nmod tests")[0]
        found |= set(re.findall(r'"(CUPRUM_[A-Z_]*[A-Z])"', code))
    return found


def variables_of_options_in_rust() -> set[str]:
    """The variables that the crates read by the end of their names, behind ``CUPRUM_`` or ``CUDF_``."""
    code = "".join(file.read_text() for file in source_files() if file.suffix == ".rs")
    return {f"CUPRUM_{name}" for name in re.findall(r'\b(?:variable|flag|number)\("([A-Z_]+)"\)', code)}


def variable_of(name: str, in_rust: set[str]) -> str | None:
    """The environment variable of an option, where there is one."""
    variable = f"CUPRUM_{name.upper().replace('.', '_')}"
    return variable if options._OPTIONS[name].read is not None or variable in in_rust else None


def values_of(name: str) -> str:
    """The values that an option may have."""
    check = options._OPTIONS[name].check
    if check.__name__ in VALUES:
        return VALUES[check.__name__]
    return ", ".join(map(repr, check.__closure__[0].cell_contents))


def group_of(name: str) -> str:
    """The heading that an option stands below."""
    if name in options._IN_PANDAS:
        return "What pandas does"
    if name in options._WITHOUT_EFFECT or name in options._ONE_WAY:
        return "Without effect, or with one value"
    return "Printing" if name in options._SHARED_WITH_PANDAS else "Results, devices and memory"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in reStructuredText."""
    lines = [
        ("   * - " if number == 0 else "     - ") + cell
        for row in [head, *rows]
        for number, cell in enumerate(row)
    ]
    return ".. list-table::\n   :header-rows: 1\n\n" + "\n".join(lines) + "\n\n"


def page() -> str:
    """The text of the page."""
    title = "Options and environment variables"
    in_rust = variables_of_options_in_rust()
    groups: dict[str, list[list[str]]] = {}
    for name, option in options._OPTIONS.items():
        variable = variable_of(name, in_rust)
        groups.setdefault(group_of(name), []).append(
            [
                f"``{name}``",
                f"``{option.default!r}``",
                values_of(name),
                # Names stand between single backticks there, which are no links.
                re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", option.description),
                f"``{variable}``" if variable else "–",
            ]
        )
    text = (
        ".. meta::\n   :keywords: options, option, settings, configuration, environment variables, environment, "
        "set_option, get_option, number of threads, log level, debug log\n\n"
    )
    text += f"{title}\n{'=' * len(title)}\n\n"
    text += (
        "Options are read and set in Python: :py:func:`cuprum.get_option`, :py:func:`cuprum.set_option`, for a block "
        ":py:func:`cuprum.option_context`; :py:func:`cuprum.describe_option` prints this list. They hold from the call "
        "on, in all threads.\n\n"
        "The variable of an option is read when ``cuprum`` is imported or the option is first needed, so set it before "
        "that. The same name with ``CUDF_`` in the place of ``CUPRUM_`` is read where it is not set. Truth values are "
        "``1``, ``on``, ``true``, ``yes`` and ``0``, ``off``, ``false``, ``no``. A variable with a value that is none "
        "of the option's is ignored, with a warning in the log where the extension module reads it; but a "
        "``CUPRUM_DEVICE`` that is not there is an error of the import.\n\n"
    )
    text += "Environment variables that are no options\n-----------------------------------------\n\n"
    text += table(
        ["variable", "default", "values", "what it does", "when it is read"],
        [[f"``{name}``", *variable] for name, variable in VARIABLES.items()],
    )
    for group, rows in groups.items():
        text += f"{group}\n{'-' * len(group)}\n\n"
        text += table(["option", "default", "values", "what it does", "variable"], rows)
    return text
