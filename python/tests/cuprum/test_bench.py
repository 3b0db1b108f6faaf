"""`python -m cuprum.bench`: a comparison on the user's machine."""

import subprocess
import sys

import pytest

import cuprum.bench


def test_every_operation_has_a_time_of_every_library():
    times = cuprum.bench.run(rows=1000, repeat=1)
    assert times.index.to_list() == [operation.name for operation in cuprum.bench.OPERATIONS]
    assert times.columns.to_list()[:2] == ["Cuprum", "pandas"]
    assert (times > 0).all(axis=None)


def test_libraries_agree_on_the_results():
    libraries = cuprum.bench._libraries(1000)
    for operation in cuprum.bench.OPERATIONS:
        ours, theirs = libraries["Cuprum"](operation), libraries["pandas"](operation)
        if hasattr(theirs, "index"):
            pandas = ours.to_pandas()
            assert pandas.shape == theirs.shape, operation.name
            if operation.name.startswith(("formula", "filter", "find", "sort")):
                assert pandas.equals(theirs), operation.name
            elif operation.name.startswith("rolling"):
                assert pandas.to_numpy() == pytest.approx(theirs.to_numpy(), rel=1e-9, nan_ok=True)
        else:
            assert ours == pytest.approx(theirs)


def test_no_time_is_left_out_but_when_there_is_none():
    assert len(cuprum.bench.run(rows=100, repeat=1, seconds=0.0)) == 0


@pytest.mark.parametrize(
    ("arguments", "text"), [({"rows": 99}, "`rows` is 99"), ({"rows": 100, "repeat": 0}, "`repeat` is 0")]
)
def test_sizes_are_checked(arguments, text):
    with pytest.raises(ValueError, match=text):
        cuprum.bench.run(**arguments)


def test_the_command_prints_and_draws(tmp_path):
    picture = tmp_path / "times.svg"
    command = [
        sys.executable,
        "-m",
        "cuprum.bench",
        "--rows",
        "1000",
        "--repeat",
        "1",
        "--plot",
        str(picture),
    ]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "group by text" in printed
    assert "geometric mean" in printed
    assert picture.read_text().lstrip().startswith("<?xml")
    refused = subprocess.run([*command[:3], "--rows", "5"], capture_output=True, text=True)
    assert (refused.returncode, "`rows` is 5" in refused.stderr) == (2, True)
