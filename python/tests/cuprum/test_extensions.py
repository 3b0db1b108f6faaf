"""What users and their libraries hang on frames, and pandas' modules under our name."""

import json
import re
import subprocess
import sys

import pandas as pd
import pytest
from oracle import agree

import cuprum
from cuprum import versions

KINDS = {
    "dataframe": lambda lib: lib.DataFrame({"a": [1, 2], "own_name": [3, 4]}),
    "series": lambda lib: lib.Series([1, 2]),
    "index": lambda lib: lib.Index([1, 2]),
}


@pytest.fixture
def registered():
    """Register accessors with both libraries, and take them away again."""
    names = []

    def register(kind, name, accessor):
        names.append(name)
        for lib in (pd, cuprum):
            getattr(lib.api.extensions, f"register_{kind}_accessor")(name)(accessor)

    yield register
    for lib in (pd, cuprum):
        for cls in (lib.DataFrame, lib.Series, lib.Index):
            for name in names:
                if name in vars(cls):
                    delattr(cls, name)


@pytest.mark.parametrize("kind", KINDS)
def test_accessors_of_users(kind, registered):
    class Own:
        def __init__(self, obj):
            self.obj, self.count = obj, 0

        def total(self):
            self.count += 1
            return int(self.obj.to_numpy().sum()) + self.count

    registered(kind, "own", Own)
    for lib in (pd, cuprum):
        made = KINDS[kind](lib)
        assert isinstance(made.own, Own) and made.own.obj is made
        # It is made each time, as in pandas 3.
        assert made.own.total() == made.own.total() == 1 + int(made.to_numpy().sum())
        assert "own" in dir(made)
        assert type(made).own is Own
    if kind == "index":
        assert cuprum.RangeIndex(3).own.total() == 4


def test_accessors_that_refuse_say_so(registered):
    class Picky:
        def __init__(self, obj):
            raise AttributeError("there is no 'lat' in it")

    for kind, make in KINDS.items():
        registered(kind, "picky", Picky)
        for lib in (pd, cuprum):
            with pytest.raises(AttributeError, match="no 'lat'"):
                make(lib).picky


def test_names_that_are_there_are_warned_of(registered):
    taken = cuprum.DataFrame.size
    try:
        with pytest.warns(UserWarning, match="preexisting attribute") as caught:
            cuprum.api.extensions.register_dataframe_accessor("size")(type("Own", (), {}))
        assert caught[0].filename == __file__
    finally:
        cuprum.DataFrame.size = taken
    for name in ("two words", 3):
        with pytest.raises(ValueError, match="`name` is"):
            cuprum.api.extensions.register_series_accessor(name)
    assert cuprum.api.extensions.ExtensionDtype is pd.api.extensions.ExtensionDtype
    with pytest.raises(AttributeError, match="nope"):
        cuprum.api.extensions.nope


def test_modules_of_times_are_those_of_pandas():
    code = """
import cuprum.tseries.holiday as holiday
from cuprum.tseries.frequencies import infer_freq, to_offset
from cuprum.tseries.holiday import USFederalHolidayCalendar
from cuprum.tseries.offsets import *
import cuprum, pandas
assert MonthEnd is pandas.offsets.MonthEnd and holiday is pandas.tseries.holiday
assert infer_freq is cuprum.infer_freq and to_offset("2D") == 2 * Day()
days = USFederalHolidayCalendar().holidays("2024", "2025")
assert cuprum.Series(["2024-12-25", "2024-12-26"]).astype("datetime64[ns]").isin(days).to_list() == [True, False]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_plots_of_pandas():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    theirs = pd.DataFrame({"a": [1.0, 4.0, 2.0, 3.0], "b": [2.0, 1.0, 5.0, 4.0], "k": list("xyxy")})
    frame = cuprum.DataFrame(theirs)
    assert set(cuprum.plotting.__all__) | {"PlotAccessor"} == set(pd.plotting.__all__)
    for draw in (
        lambda lib, df: lib.plotting.scatter_matrix(df[["a", "b"]])[0, 0],
        lambda lib, df: lib.plotting.autocorrelation_plot(df["a"]),
        lambda lib, df: lib.plotting.lag_plot(df["a"]),
        lambda lib, df: lib.plotting.parallel_coordinates(frame=df, class_column="k"),
        lambda lib, df: lib.plotting.andrews_curves(df, "k"),
    ):
        drawn = []
        for lib, df in ((pd, theirs), (cuprum, frame)):
            plt.close("all")
            axes = draw(lib, df)
            drawn.append(
                [line.get_xydata().tolist() for line in axes.lines] + [axes.get_xlabel(), axes.get_ylabel()]
            )
        assert drawn[0] == drawn[1]
    plt.close("all")
    with pytest.raises(AttributeError, match="nope"):
        cuprum.plotting.nope


def test_versions(tmp_path, capsys):
    cuprum.show_versions()
    lines = capsys.readouterr().out.splitlines()
    assert f"{'cuprum':<22}: {cuprum.__version__}" in lines
    assert f"{'pandas':<22}: {pd.__version__}" in lines
    cuprum.show_versions(as_json=True)
    assert json.loads(capsys.readouterr().out)["dependencies"]["cuprum"] == cuprum.__version__
    cuprum.show_versions(as_json=tmp_path / "v.json")
    assert "cuprum" in json.loads((tmp_path / "v.json").read_text())["dependencies"]
    with pytest.raises(TypeError, match="as_json"):
        cuprum.show_versions(as_json=3)


def test_versions_tell_of_gpus_and_their_compiler(capsys):
    cuprum.show_versions(as_json=True)
    found = json.loads(capsys.readouterr().out)["devices"]
    gpus = [device for device in cuprum.cuda.devices() if str(device) != "cpu"]
    assert list(found) == [
        *(map(str, gpus) if gpus else ["GPU"]),
        "NVIDIA driver",
        "NVRTC",
        "shipped kernels",
    ]
    for device in gpus:
        assert found[str(device)].startswith(f"{device.name}, compute capability ")
    assert gpus or found["GPU"] is None
    # The compiler is there exactly where kernels can be compiled.
    try:
        cuprum.cuda.warm_up("sm_90", [])
    except RuntimeError:
        assert found["NVRTC"] is None
    else:
        assert re.fullmatch(r"\d+\.\d+", found["NVRTC"])
    cuprum.show_versions()
    assert f"{'NVRTC':<22}: {found['NVRTC']}" in capsys.readouterr().out.splitlines()


def test_versions_of_a_gpu_that_does_not_answer():
    class Device:
        name, compute_capability = "H200", (9, 0)

        @property
        def memory_info(self):
            raise RuntimeError("lost")

    device = Device()
    assert versions._device(device) == "RuntimeError: lost"
    Device.memory_info = (0, 3 * 2**29)
    assert versions._device(device) == "H200, compute capability 9.0, 1.5 GiB"


def test_labels_that_the_tab_key_offers():
    df = cuprum.DataFrame({"a": [1, 2], "b c": [3, 4], 5: [1, 1]}, index=["x", "y"])
    columns = ["a", "b c", 5]
    cells = [(row, column) for row in ("x", "y") for column in columns]
    for obj, expected in (
        (df, columns),
        (df.loc, columns),
        (df.at, cells),
        (df["a"], ["x", "y"]),
        (df["a"].loc, ["x", "y"]),
        (df["a"].at, ["x", "y"]),
        (df.groupby("a"), columns),
        (df.rolling(2), columns),
        (df.iloc[0], columns),
        (df.set_axis(cuprum.date_range("2020", periods=2)).resample("D"), columns),
    ):
        assert obj._ipython_key_completions_() == expected
    assert "a" in dir(df.groupby(5)) and "b c" not in dir(df.groupby(5))
    repeated = cuprum.DataFrame([[1, 2]], columns=["a", "a"])
    assert repeated._ipython_key_completions_() == ["a"]
    with cuprum.option_context("display.max_dir_items", 1):
        assert df["a"]._ipython_key_completions_() == ["x"]


@pytest.mark.parametrize(
    "code",
    [
        "lib.util.hash_pandas_object(lib.Series([1, 2]))",
        "lib.util.hash_array(np.array([1, 2]))",
        "lib.arrays.IntervalArray.from_breaks([0, 1]).shape",
        "lib.io.sql.get_schema(lib.DataFrame({'a': [1]}), 't')",
    ],
)
def test_modules_of_pandas_have_their_functions(code):
    agree(code)


def test_classes_of_intermediate_results_have_names():
    from cuprum.api import typing

    assert set(typing.__all__) <= set(dir(pd.api.typing))
    df = cuprum.DataFrame({"k": [1, 1], "t": pd.to_datetime(["2024-01-01", "2024-01-02"])})
    made = {
        typing.DataFrameGroupBy: df.groupby("k"),
        typing.SeriesGroupBy: df.groupby("k")["t"],
        typing.Rolling: df["k"].rolling(2),
        typing.Expanding: df["k"].expanding(),
        typing.ExponentialMovingWindow: df["k"].ewm(1),
        typing.RollingGroupBy: df.groupby("k").rolling(2),
        typing.Window: df["k"].rolling(2, win_type="boxcar"),
        typing.Resampler: df.set_index("t").resample("D"),
        typing.NaTType: pd.NaT,
        typing.NAType: pd.NA,
    }
    for kind, value in made.items():
        assert isinstance(value, kind)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        typing.Nothing
