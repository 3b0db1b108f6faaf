"""Run a folder or file of pandas' tests against Cuprum: ``run.py frame/methods [arguments of pytest]``."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas

HERE = Path(__file__).resolve()
INSTALLED = Path(pandas.__file__).parent

IMPORTS = [
    (r"^(\s*)import pandas as pd$", r"\1from pandas_suite import names as pd"),
    (r"^(\s*)import pandas\._testing as tm$", r"\1from pandas_suite import comparison as tm"),
    (r"^(\s*)from pandas import _testing as tm$", r"\1from pandas_suite import comparison as tm"),
    (r"^(\s*)from pandas import ", r"\1from pandas_suite.names import "),
    (r"^(\s*)from pandas\.conftest import ", r"\1from suite.conftest import "),
    (r"^(\s*)(from|import) pandas\.tests\b", r"\1\2 suite"),
]
# Classes that tests take from where they are defined.
DEFINED = re.compile(
    r"^(\s*)from pandas\.core\.(?:indexes\.(?:api|base|multi|datetimes|timedeltas|category|range|interval)"
    r"|series|frame|api|groupby|reshape\.(?:api|concat|merge|tile|melt)) import ((?:\w+(?:, )?)+)$"
)


def with_cuprum(source: str) -> str:
    """Return a file of tests that imports Cuprum for pandas, line by line."""
    import cuprum

    lines = _lazily(source).split("\n")
    for i, line in enumerate(lines):
        for pattern, replacement in IMPORTS:
            if re.match(pattern, line):
                lines[i] = re.sub(pattern, replacement, line)
                break
        known = DEFINED.match(line)
        if known and set(known[2].split(", ")) <= set(cuprum.__all__):
            lines[i] = f"{known[1]}from pandas_suite.names import {known[2]}"
    return "\n".join(lines)


def _lazily(source: str) -> str:
    """Let parameters of tests and dicts of fixtures be made one by one, so that some may be refused."""
    lines = source.encode().split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    insertions: list[tuple[int, bytes]] = []

    def wrap(node: ast.expr) -> None:
        values, bound = [], []
        if isinstance(node, ast.List):
            values = node.elts
        elif isinstance(node, ast.Dict):
            values = node.values
        elif isinstance(node, ast.DictComp):
            values, targets = [node.value], [target for g in node.generators for target in ast.walk(g.target)]
            bound = [f"{target.id}={target.id}" for target in targets if isinstance(target, ast.Name)]
        if not any(isinstance(part, ast.Call) for value in values for part in ast.walk(value)):
            return
        if any(isinstance(value, ast.Starred) for value in values):
            return
        for around, before, after in [
            (node, b"__import__('pandas_suite.names').names.those_that_work(", b")"),
            *((value, f"lambda {', '.join(bound)}: (".encode(), b")") for value in values),
        ]:
            insertions.append((starts[around.lineno - 1] + around.col_offset, before))
            insertions.append((starts[(around.end_lineno or 0) - 1] + (around.end_col_offset or 0), after))

    tree = ast.parse(source)
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and not isinstance(statement.value, ast.List):
            wrap(statement.value)
    for node in ast.walk(tree):
        for call in getattr(node, "decorator_list", []):
            if isinstance(call, ast.Call):
                for argument in [*call.args, *(k.value for k in call.keywords if k.arg == "params")]:
                    wrap(argument)
    text = source.encode()
    # Of insertions at one place, the outer opens first; what closes there comes in the order of closing.
    for place, what in sorted(enumerate(insertions), key=lambda x: (x[1][0], x[0]), reverse=True):
        text = text[: what[0]] + what[1] + text[what[0] :]
    return text.decode()


def main() -> int:
    """Copy the tests, run them and print how they ended."""
    folder, *arguments = sys.argv[1:] or ["frame/methods"]
    listing = Path("target/pandas-suite", folder.replace("/", "-")).with_suffix(".txt").absolute()
    listing.parent.mkdir(parents=True, exist_ok=True)
    variables = {
        "PYTHONPATH": str(HERE.parents[1]),
        "PANDAS_SUITE_LISTING": str(listing),
        "CUPRUM_COPY_ON_WRITE": "1",
    }
    with tempfile.TemporaryDirectory(prefix="pandas-suite-") as place:
        root = Path(place)
        shutil.copytree(INSTALLED / "tests", root / "suite", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(INSTALLED / "conftest.py", root / "suite" / "conftest.py")
        for path in root.rglob("*.py"):
            if not path.name.startswith("test_") or path.is_relative_to(root / "suite" / folder):
                path.write_text(with_cuprum(path.read_text()))
        (root / "pytest.ini").write_text("[pytest]\n")
        command = [sys.executable, "-m", "pytest", "-qq", "-n", "auto", "--dist", "worksteal", "--no-header"]
        command += ["-p", "pandas_suite.report", "-p", "no:cacheprovider", "--tb=no", "--no-summary"]
        command += ["--max-worker-restart=1000", "--rootdir", place, *arguments, f"suite/{folder}"]
        ended = subprocess.run(command, cwd=place, env={**os.environ, **variables}).returncode
    return 0 if ended == 1 else ended  # that some tests fail is what the table is for


if __name__ == "__main__":
    sys.exit(main())
