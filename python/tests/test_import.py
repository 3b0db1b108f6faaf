"""What importing the package costs."""

import json
import os
import subprocess
import sys

PROGRAM = "import json, sys, cuprum; json.dump(sorted(sys.modules), sys.stdout)"


def test_import_brings_no_pandas():
    output = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True).stdout
    assert not set(json.loads(output)) & {"pandas", "pyarrow", "numpy", "polars"}


def test_a_device_that_cannot_be_used_is_refused():
    def started(device):
        environment = {**os.environ, "CUPRUM_DEVICE": device}
        return subprocess.run(
            [sys.executable, "-c", "import cuprum"], env=environment, capture_output=True, text=True
        )

    assert started("cpu").returncode == started("auto").returncode == 0
    for device, error in (("cuda:1", "NotImplementedError"), ("gpu", "ValueError")):
        message = started(device).stderr
        assert error in message and f"CUPRUM_DEVICE: device '{device}'" in message
