import os

# Where nobody says otherwise, tests are about the CPU, also on a machine with a GPU. Before Cuprum is imported.
os.environ.setdefault("CUPRUM_DEVICE", "cpu")

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", max_examples=60, deadline=None)
settings.register_profile(
    "ci", max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

HOST = os.environ["CUPRUM_DEVICE"] == "cpu"


def pytest_collection_modifyitems(items):
    """Leave out what is about host memory where data is on a GPU or the emulator."""
    for item in items:
        if not HOST and item.get_closest_marker("host"):
            item.add_marker(pytest.mark.skip(reason="is about host memory"))
