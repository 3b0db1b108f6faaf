"""statsmodels says of our frames what it says of those of pandas: names of parameters, labels of rows, numbers."""

import numpy as np
import pandas as pd
import pytest

sm = pytest.importorskip("statsmodels.api")

import statsmodels.formula.api as smf
from pandas.testing import assert_frame_equal, assert_series_equal
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.descriptivestats import describe
from statsmodels.tsa.seasonal import STL, seasonal_decompose

import cuprum

pytestmark = [
    pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning"),
    pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.ValueWarning"),
]


@pytest.fixture
def table():
    random = np.random.default_rng(5)
    expected = pd.DataFrame(
        {
            "distance": random.normal(size=80),
            "hour": random.integers(0, 24, 80).astype("float64"),
            "origin": random.choice(["EWR", "JFK"], 80),
        },
        index=[f"r{i}" for i in range(80)],
    )
    expected["delay"] = expected["distance"] * 2 - expected["hour"] / 10 + random.normal(size=80)
    expected["late"] = (expected["delay"] > 0).astype("int64")
    expected["late_count"] = random.poisson(2, 80)
    return expected, cuprum.from_pandas(expected)


@pytest.fixture
def months():
    random = np.random.default_rng(9)
    values = np.sin(np.arange(72) / 12 * 2 * np.pi) + random.normal(size=72) / 5 + 5
    index = pd.date_range("2013-01-01", periods=72, freq="MS", name="month")
    expected = pd.DataFrame({"flights": values, "delays": random.normal(size=72).cumsum()}, index=index)
    frame = cuprum.from_pandas(expected)
    assert frame.index.equals(cuprum.Index(index))
    return expected, frame


def features(f):
    return f[["distance", "hour"]]


MODELS = {
    "OLS": lambda f: sm.OLS(f["delay"], sm.add_constant(features(f))),
    "OLS of one series": lambda f: sm.OLS(f["delay"], f["distance"]),
    "WLS": lambda f: sm.WLS(f["delay"], features(f), weights=f["hour"] + 1),
    "GLS": lambda f: sm.GLS(f["delay"], features(f)),
    "RLM": lambda f: sm.RLM(f["delay"], features(f)),
    "QuantReg": lambda f: sm.QuantReg(f["delay"], features(f)),
    "GLM": lambda f: sm.GLM(
        f["late_count"], features(f), family=sm.families.Poisson(), offset=f["hour"] / 24
    ),
    "Logit": lambda f: sm.Logit(f["late"], features(f)),
    "Probit": lambda f: sm.Probit(f["late"], features(f)),
    "Poisson": lambda f: sm.Poisson(f["late_count"], features(f)),
    "MNLogit": lambda f: sm.MNLogit(f["late"], features(f)),
    "GEE": lambda f: sm.GEE(f["delay"], features(f), groups=f["origin"]),
    "MixedLM": lambda f: sm.MixedLM(f["delay"], features(f), groups=f["origin"]),
    "by keyword": lambda f: sm.OLS(endog=f["delay"], exog=features(f)),
    "of an array and a frame": lambda f: sm.OLS(np.asarray(f["delay"]), features(f)),
    "formula": lambda f: smf.ols("delay ~ distance + C(origin)", data=f),
    "formula of the caller's names": lambda f: smf.ols("delay ~ np.abs(distance) + halved(hour)", data=f),
    "formula of a part": lambda f: smf.ols("delay ~ distance", data=f, subset=f["hour"] > 5),
    "logit by formula": lambda f: smf.logit("late ~ distance + hour", data=f),
    "GLM by formula": lambda f: smf.glm("late_count ~ distance", data=f, family=sm.families.Poisson()),
}


def halved(values):
    return values / 2


@pytest.mark.parametrize("name", MODELS)
def test_models(name, table):
    wanted, got = (MODELS[name](frame) for frame in table)
    assert got.endog_names == wanted.endog_names
    assert got.exog_names == wanted.exog_names
    assert "x1" not in got.exog_names
    fit = {"disp": False} if name.lower().startswith(("logit", "probit", "poisson", "mnlogit")) else {}
    wanted, got = wanted.fit(**fit), got.fit(**fit)
    same = assert_frame_equal if isinstance(wanted.params, pd.DataFrame) else assert_series_equal
    same(got.params, wanted.params)
    for attribute in ("resid", "fittedvalues"):
        if isinstance(getattr(wanted, attribute, None), pd.Series):
            assert_series_equal(getattr(got, attribute), getattr(wanted, attribute))
    if "part" not in name:
        lines = [str(model.summary()).splitlines() for model in (wanted, got)]
        wanted_lines, got_lines = ([line for line in text if "Time:" not in line] for text in lines)
        assert got_lines == wanted_lines


@pytest.mark.parametrize(
    "name", ["OLS of one series", "GLS", "Logit", "MNLogit", "formula", "GLM by formula"]
)
def test_predictions(name, table):
    expected, frame = table
    fit = {"disp": False} if "Logit" in name else {}
    wanted, got = (MODELS[name](f).fit(**fit) for f in table)
    columns = ["distance"] if name == "OLS of one series" else ["distance", "hour"]
    if "ormula" in name:
        columns = ["distance", "origin"]
    theirs, ours = expected[columns].iloc[5:15], frame[columns].iloc[5:15]
    predicted = wanted.predict(theirs)
    same = assert_frame_equal if isinstance(predicted, pd.DataFrame) else assert_series_equal
    same(got.predict(ours), predicted)
    same(got.predict(exog=ours), predicted)
    if hasattr(wanted, "get_prediction") and name != "MNLogit":
        assert_frame_equal(
            got.get_prediction(ours).summary_frame(), wanted.get_prediction(theirs).summary_frame()
        )


def test_missing_rows_are_dropped_by_label(table):
    both = [f.assign(distance=f["distance"].where(f["hour"] > 3)) for f in table]
    wanted, got = (sm.OLS(f["delay"], features(f), missing="drop").fit() for f in both)
    assert_series_equal(got.params, wanted.params)
    assert_series_equal(got.resid, wanted.resid)
    wanted, got = (smf.ols("delay ~ distance", data=f).fit() for f in both)
    assert_series_equal(got.resid, wanted.resid)


def test_constants_and_tables(table):
    expected, frame = table
    assert_frame_equal(sm.add_constant(features(frame)), sm.add_constant(features(expected)))
    wanted, got = (anova_lm(smf.ols("delay ~ C(origin)", data=f).fit()) for f in table)
    assert_frame_equal(got, wanted)
    assert_frame_equal(describe(features(frame)), describe(features(expected)))


def test_series_of_times(months):
    expected, frame = months
    wanted, got = (seasonal_decompose(f["flights"]) for f in months)
    for part in ("trend", "seasonal", "resid", "observed"):
        assert_series_equal(getattr(got, part), getattr(wanted, part))
    wanted, got = (STL(f["flights"]).fit() for f in months)
    assert_series_equal(got.trend, wanted.trend)
    for wanted, got in zip(
        sm.tsa.filters.hpfilter(expected["flights"]), sm.tsa.filters.hpfilter(frame["flights"]), strict=True
    ):
        assert_series_equal(got, wanted)
    np.testing.assert_array_equal(sm.tsa.acf(frame["flights"]), sm.tsa.acf(expected["flights"]))
    wanted, got = (sm.tsa.adfuller(f["flights"], result_object=False) for f in months)
    assert got == wanted
    assert_frame_equal(sm.tsa.add_trend(frame, "ct"), sm.tsa.add_trend(expected, "ct"))


def test_forecasts_go_on_with_the_labels(months):
    wanted, got = (sm.tsa.ARIMA(f["flights"], order=(1, 0, 0)).fit() for f in months)
    assert_series_equal(got.params, wanted.params)
    assert_series_equal(got.forecast(4), wanted.forecast(4))
    wanted, got = (
        sm.tsa.SARIMAX(f["flights"], exog=f["delays"], order=(1, 0, 0)).fit(disp=False) for f in months
    )
    assert_series_equal(got.params, wanted.params)
    after = [f["delays"].iloc[:2] for f in months]
    assert_series_equal(got.forecast(2, exog=after[1]), wanted.forecast(2, exog=after[0]))
    wanted, got = (sm.tsa.ExponentialSmoothing(f["flights"], trend="add").fit() for f in months)
    assert_series_equal(got.forecast(3), wanted.forecast(3))
    wanted, got = (sm.tsa.VAR(f).fit(1) for f in months)
    assert_frame_equal(got.params, wanted.params)


def test_rolling_models(table):
    from statsmodels.regression.rolling import RollingOLS

    wanted, got = (RollingOLS(f["delay"], features(f), window=20).fit() for f in table)
    assert_frame_equal(got.params, wanted.params)


def test_models_that_users_derive(table):
    class Doubled(sm.OLS):
        def __init__(self, endog, exog, **kwargs):
            super().__init__(endog * 2, exog, **kwargs)

    wanted, got = (Doubled(f["delay"], features(f)).fit().params for f in table)
    assert_series_equal(got, wanted)
