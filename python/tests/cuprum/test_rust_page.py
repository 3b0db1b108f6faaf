"""The Python of docs/rust.md runs, and gives what pandas gives."""

import importlib.util
import re
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[3]
TABLES = ("joined", "carriers", "months", "ages", "routes", "rain_and_wind", "carried_over", "latest")


def run(library):
    page = (ROOT / "docs" / "rust.md").read_text()
    spec = importlib.util.spec_from_file_location("flights", ROOT / "examples" / "flights.py")
    flights = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(flights)
    names = {"data": Path(flights.default_directory())}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block.replace("import cuprum as pd", f"import {library} as pd"), names)
    return names


def test_the_python_beside_the_rust_is_that_of_pandas():
    ours, theirs = run("cuprum"), run("pandas")
    for name in TABLES:
        ours_there = ours[name].to_pandas()
        pd.testing.assert_frame_equal(ours_there, theirs[name], check_dtype=False, obj=name)
