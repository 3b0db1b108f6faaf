"""What importing the package costs."""

import json
import os
import subprocess
import sys

from cuprum.core.library_hooks import TAKERS

PROGRAM = "import json, sys, cuprum; json.dump(sorted(sys.modules), sys.stdout)"


def test_import_brings_no_other_library():
    output = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True).stdout
    taken = {"pandas", "pyarrow", "numpy", "polars", "narwhals"}
    takers = {name.partition(".")[0] for name in TAKERS}
    assert {"seaborn", "plotly", "altair", "sklearn", "xgboost", "lightgbm", "statsmodels"} <= takers
    assert not {name.partition(".")[0] for name in json.loads(output)} & (taken | takers)


def test_groups_windows_and_accessors_are_loaded_when_they_are_used():
    program = (
        PROGRAM
        + "; s = cuprum.Series(['a']); s.str; s.groupby([0]); s.rolling(1); print(); json.dump(sorted(sys.modules), sys.stdout)"
    )
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
    before, after = (set(json.loads(line)) for line in output.splitlines())
    late = {f"cuprum.core.{name}" for name in ("groupby.groupby", "window.rolling", "accessors.string")}
    assert not late & before
    assert late <= after


def test_a_device_that_cannot_be_used_is_refused():
    def started(device):
        environment = {**os.environ, "CUPRUM_DEVICE": device}
        return subprocess.run(
            [sys.executable, "-c", "import cuprum"], env=environment, capture_output=True, text=True
        )

    for device in ("cpu", "auto", "emulator"):
        assert started(device).returncode == 0
    # Without a driver, or without that device.
    for device, possible in (("cuda:99", ("RuntimeError", "ValueError")), ("gpu", ("ValueError",))):
        message = started(device).stderr
        assert any(error in message for error in possible), message
        assert "CUPRUM_DEVICE" in message and f"'{device}'" in message
