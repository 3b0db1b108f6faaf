"""Each library takes frames whether it is imported before the package or after it."""

import importlib
import importlib.util
import subprocess
import sys

import pytest

from cuprum.core.library_hooks import TAKERS

# What is shown of a frame, with names in it.
PROGRAMS = {
    "seaborn": """
import matplotlib; matplotlib.use("Agg")
axes = seaborn.boxplot(frame)
print([label.get_text() for label in axes.get_xticklabels()])
""",
    "plotly.express": """
trace = plotly.express.line(frame, y="EWR").data[0]
print(list(trace.x), trace.hovertemplate)
""",
    "altair": """
chart = altair.Chart(frame).mark_point().encode(x="EWR", y="JFK").to_dict()
print(list(chart["datasets"].values()))
""",
    "sklearn.preprocessing": """
print(sklearn.preprocessing.StandardScaler().set_output(transform="pandas").fit_transform(frame))
""",
    "xgboost": """
print(xgboost.DMatrix(frame, frame["EWR"]).feature_names)
print(xgboost.XGBRegressor(n_estimators=2, n_jobs=1).fit(frame, frame["EWR"]).feature_names_in_)
""",
    "lightgbm": """
print(lightgbm.Dataset(frame, frame["EWR"], params={"verbose": -1}).construct().get_feature_name())
print(lightgbm.LGBMRegressor(n_estimators=2, verbose=-1).fit(frame, frame["EWR"]).feature_name_)
""",
    "statsmodels.api": """
print(statsmodels.api.OLS(frame["EWR"], statsmodels.api.add_constant(frame[["JFK"]])).fit().params)
""",
}

FRAME = """
frame = {kind}.DataFrame({{"EWR": [1.0, 2.0, 4.0] * 9, "JFK": [3.0, 5.0, 4.0] * 9}}, index=[f"r{{i}}" for i in range(27)])
"""


def shown(imports, kind, program):
    source = f"import {', '.join(imports)}\n{FRAME.format(kind=kind)}{program}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("library", PROGRAMS)
def test_before_and_after(library):
    pytest.importorskip(library)
    wanted = shown([library, "pandas"], "pandas", PROGRAMS[library])
    assert "EWR" in wanted or "r0" in wanted or "JFK" in wanted
    assert shown(["cuprum", library], "cuprum", PROGRAMS[library]) == wanted
    assert shown([library, "cuprum"], "cuprum", PROGRAMS[library]) == wanted


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", TAKERS)
def test_every_function_that_is_named_is_there(module):
    """In the versions that are pinned; of a name in a class of its own too."""
    library = module.partition(".")[0]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    for other in TAKERS:  # in which classes inherit from those of this one
        if other.partition(".")[0] == library:
            importlib.import_module(other)
    found = importlib.import_module(module)

    def takes(obj):
        return hasattr(obj, "_takes_pandas")

    for entry in TAKERS[module]:
        if entry == "*":
            own = [value for value in vars(found).values() if getattr(value, "__module__", "") == module]
            assert any(takes(getattr(value, "__init__", None)) or takes(value) for value in own)
            continue
        owner, _, name = entry.rstrip("*").rpartition(".")
        kinds = [getattr(found, owner) if owner else found]
        for kind in kinds:
            kinds += kind.__subclasses__() if entry.endswith("*") else []
        assert any(takes(getattr(vars(kind).get(name), "__func__", vars(kind).get(name))) for kind in kinds)
