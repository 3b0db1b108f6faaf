"""A pytest plugin that says how each test ended, and a table of it."""

import faulthandler
import os
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SECONDS = 30

# In the order of columns.
KINDS = {
    "passes": "pass",
    "values": "unequal values",
    "assert": "another assertion fails",
    "no raise": "pandas refuses, Cuprum does not",
    "crash": "a crash or a panic",
    "time": f"no end within {SECONDS} s",
    "labels": "equal values under other labels or names",
    "types": "equal values and labels of other types",
    "message": "another message or warning",
    "refused": "NotImplementedError or TypeError",
    "error": "another error",
    "left out": "skipped by pandas, or expected to fail",
}
LISTED = ("values", "assert", "no raise", "crash", "time")

_OF_CLASS = {
    "OtherValues": "values",
    "OtherLabels": "labels",
    "OtherTypes": "types",
    "PanicException": "crash",
    "TimeoutError": "time",
    "NotImplementedError": "refused",
    "TypeError": "refused",
    "Failed": "no raise",
}
_MESSAGES = ("Regex pattern did not match", "Expected regex", "Did not see", "Caused unexpected warning")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """End a test that takes too long: by an exception, or with its process where Python has no say."""
    signal.signal(signal.SIGALRM, _out_of_time)
    signal.alarm(SECONDS)
    faulthandler.dump_traceback_later(2 * SECONDS, exit=True, file=sys.__stderr__ or sys.stderr)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()


def _out_of_time(*_: Any) -> None:
    raise TimeoutError(f"no end within {SECONDS} s")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
    """Note the kind of the end in the report, which comes to the process that counts."""
    report = yield
    if report.failed:
        error = call.excinfo.value
        shown = _shown(error, call.excinfo.traceback)
        report.user_properties.append(("ended", (_kind(error), shown)))
        report.longrepr = shown  # what pytest shows may hold lone surrogates, on which workers hang
    return report


def _kind(error: BaseException) -> str:
    name, text = type(error).__name__, str(error)
    if isinstance(error, AssertionError) and name == "AssertionError":
        return "message" if any(m in text for m in _MESSAGES) else "assert"
    return _OF_CLASS.get(name, "error")


def _shown(error: BaseException, traceback: Any) -> str:
    """Return the line of the test and the first lines of the error."""
    lines = [entry.lineno + 1 for entry in traceback if Path(entry.path).name.startswith("test_")]
    text = "\n".join(str(error).splitlines()[:12])
    shown = f"line {lines[-1] if lines else '?'}: {type(error).__name__}: {text}"
    return shown.encode(errors="backslashreplace").decode()


class Table:
    """Counts the ends of tests and prints them."""

    def __init__(self, listing: Path) -> None:
        self.listing = listing
        self.ended: dict[str, tuple[str, str]] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take the worst of a test's phases."""
        if report.failed:
            known = dict(report.user_properties).get("ended")
            self.ended[report.nodeid] = tuple(known) if known else ("crash", str(report.longrepr))
        elif report.skipped:
            self.ended[report.nodeid] = ("left out", "")
        elif report.when == "call":
            self.ended.setdefault(report.nodeid, ("passes", ""))

    def pytest_collectreport(self, report: Any) -> None:
        """Count a file that cannot be imported as one test."""
        if report.failed:
            self.ended[report.nodeid] = ("error", "not imported: " + str(report.longrepr)[-400:])

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table and what differs silently; write every end that is not a pass to a file."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for nodeid, (kind, _) in self.ended.items():
            counts[nodeid.partition("::")[0].rpartition("/")[0]][kind] += 1
        write = terminalreporter.write_line
        width = max(map(len, counts), default=0)
        write(" " * width + "".join(f"{kind:>9}" for kind in KINDS))
        total: Counter[str] = Counter()
        for folder, of in sorted(counts.items()):
            write(f"{folder:{width}}" + "".join(f"{of[kind] or '.':>9}" for kind in KINDS))
            total += of
        write(f"{'in all':{width}}" + "".join(f"{total[kind] or '.':>9}" for kind in KINDS))
        write("; ".join(f"{kind}: {meaning}" for kind, meaning in KINDS.items()))
        with self.listing.open("w") as listing:
            for kind in KINDS:
                for nodeid, (ended, shown) in sorted(self.ended.items()):
                    if ended == kind and kind not in {"passes", "left out"}:
                        listing.write(f"== {kind}: {nodeid}\n{shown}\n")
                        if kind in LISTED:
                            write(f"== {kind}: {nodeid}\n{shown}")
        write(f"everything else than passes: {self.listing}")


def pytest_configure(config: pytest.Config) -> None:
    """Count in the process that hands tests out."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Table(Path(os.environ["PANDAS_SUITE_LISTING"])))
