"""The stub of the extension module says what the module has: names, parameters, defaults."""

import os
import pathlib
import subprocess
import sys

import pytest

import cuprum

# What the stub has for its own use, and what Python 3.11 does not show.
KNOWN = """
cuprum._cuprum.__all__
cuprum._cuprum.(DTypeLike|DeviceLike|Span|TableLike)
cuprum._cuprum.HostArray.__buffer__
"""


def test_stub_of_the_extension_module(tmp_path):
    pytest.importorskip("mypy")
    known = tmp_path / "known.txt"
    known.write_text(KNOWN)
    # The stub is checked where it lies, not where an older one may be installed.
    package = pathlib.Path(cuprum.__file__).parent.parent
    project = pathlib.Path(__file__).parents[2] / "pyproject.toml"
    options = ["--concise", "--ignore-disjoint-bases", "--ignore-positional-only", "--allowlist", str(known)]
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "cuprum._cuprum", *options, "--ignore-unused-allowlist"]
        + ["--mypy-config-file", str(project)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(package), "MYPYPATH": str(package)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
