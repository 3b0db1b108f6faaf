"""What importing the package costs."""

import json
import subprocess
import sys

PROGRAM = """
import json, sys, time
start = time.perf_counter()
import cuprum
seconds = time.perf_counter() - start
json.dump([seconds, sorted(sys.modules)], sys.stdout)
"""


def run_import():
    output = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True).stdout
    return json.loads(output)


def test_import_is_fast_and_brings_no_pandas():
    runs = [run_import() for _ in range(3)]
    assert min(seconds for seconds, _ in runs) < 0.150
    modules = set(runs[0][1])
    assert not modules & {"pandas", "pyarrow", "numpy", "polars"}
