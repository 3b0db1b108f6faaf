"""LightGBM learns from our frames what it learns from those of pandas, and refuses what it refuses of those."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

lgb = pytest.importorskip("lightgbm")

import cuprum

PARAMS = {"verbose": -1, "num_threads": 1, "seed": 1, "deterministic": True, "min_data_in_leaf": 5}


@pytest.fixture
def table():
    """Features and a target: one feature has categories, one missing elements."""
    random = np.random.default_rng(3)
    x = pd.DataFrame(
        {
            "distance": random.normal(size=200),
            "hour": random.integers(0, 24, 200),
            "late": random.random(200) > 0.5,
            "carrier": pd.Categorical(random.choice(["UA", "AA", "B6"], 200), categories=["UA", "B6", "AA"]),
        },
        index=[f"r{i}" for i in range(200)],
    )
    y = (x["distance"] * 2 + x["hour"] / 10 + x["carrier"].cat.codes).rename("delay")
    x.loc[x.index[::7], "distance"] = np.nan
    return (x, y), (cuprum.from_pandas(x), cuprum.from_pandas(y))


def text_of(model):
    """The model as text, without the parameters."""
    return model.model_to_string().partition("\nparameters:")[0]


def test_data_sets(table):
    found = []
    for x, y in table:
        data = lgb.Dataset(x, y, weight=y.abs(), init_score=y * 0, params=PARAMS).construct()
        found.append(
            (data.get_feature_name(), data.num_data(), data.get_label().tolist(), data.get_weight().tolist())
        )
    assert found[1] == found[0]
    assert found[1][0] == ["distance", "hour", "late", "carrier"]


def test_boosters(table):
    found = []
    for x, y in table:
        model = lgb.train(PARAMS, lgb.Dataset(x, y), num_boost_round=5)
        found.append(
            (model.feature_name(), model.pandas_categorical, text_of(model), model.predict(x).tolist())
        )
        assert model.predict(x, validate_features=True).tolist() == found[-1][-1]
    assert found[1] == found[0]
    assert found[1][1] == [["UA", "B6", "AA"]]


def test_categories_in_another_order(table):
    found = []
    for x, y in table:
        model = lgb.train(PARAMS, lgb.Dataset(x, y), num_boost_round=5)
        turned = x.assign(carrier=x["carrier"].cat.set_categories(["AA", "UA", "B6"]))
        found.append(model.predict(turned).tolist())
        assert found[-1] == model.predict(x).tolist()
    assert found[1] == found[0]


def test_columns_of_other_names_are_refused_as_of_pandas(table):
    for x, y in table:
        model = lgb.train(PARAMS, lgb.Dataset(x, y), num_boost_round=2)
        with pytest.raises(lgb.basic.LightGBMError, match="Expected 'distance' at position 0"):
            model.predict(x[["hour", "distance", "late", "carrier"]], validate_features=True)


def test_estimators(table):
    results = []
    for x, y in table:
        late = (y > 1).astype("int64")
        regressor = lgb.LGBMRegressor(n_estimators=5, **PARAMS)
        regressor.fit(x, y, eval_X=(x,), eval_y=(y,), eval_names=["all"])
        classifier = lgb.LGBMClassifier(n_estimators=5, **PARAMS).fit(x, late, sample_weight=y.abs())
        ranker = lgb.LGBMRanker(n_estimators=3, **PARAMS).fit(x, late, group=[100, 100])
        results.append(
            {
                "names": regressor.feature_name_,
                "names of scikit-learn": regressor.feature_names_in_.tolist(),
                "importances": regressor.feature_importances_.tolist(),
                "evaluated": regressor.evals_result_,
                "predicted": regressor.predict(x).tolist(),
                "score": regressor.score(x, y),
                "classes": classifier.predict(x).tolist(),
                "chances": classifier.predict_proba(x).tolist(),
                "ranks": ranker.predict(x).tolist(),
            }
        )
    assert results[1] == results[0]
    assert results[1]["names"] == ["distance", "hour", "late", "carrier"]


def test_labels_of_texts(table):
    found = []
    for x, _ in table:
        model = lgb.LGBMClassifier(n_estimators=3, **PARAMS).fit(
            x[["distance", "hour"]], x["carrier"].astype("str")
        )
        found.append((model.classes_.tolist(), model.predict(x[["distance", "hour"]]).tolist()))
    assert found[1] == found[0]


def test_texts_and_times_are_refused_as_of_pandas(table):
    for x, y in table:
        for bad in (x.assign(carrier=x["carrier"].astype("str")), x.assign(t=pd.Timestamp("2024-01-01"))):
            with pytest.raises((ValueError, TypeError)):
                lgb.Dataset(bad, y, params=PARAMS).construct()
            with pytest.raises((ValueError, TypeError)):
                lgb.LGBMRegressor(**PARAMS).fit(bad, y)
            model = lgb.train(PARAMS, lgb.Dataset(x, y), num_boost_round=2)
            with pytest.raises((ValueError, TypeError, lgb.basic.LightGBMError)):
                model.predict(bad)


@pytest.mark.parametrize("first", ["lightgbm", "cuprum"])
def test_no_process_is_aborted(first):
    """Whichever is imported first."""
    second = "cuprum" if first == "lightgbm" else "lightgbm"
    program = f"""
import {first}, {second}
x = cuprum.DataFrame({{"a": [1.0, 2.0] * 20, "s": ["x", "y"] * 20}})
for frame in (x, x.astype({{"s": "category"}})):
    for work in (
        lambda: lightgbm.Dataset(frame, x["a"], params={{"verbose": -1}}).construct(),
        lambda: lightgbm.LGBMRegressor(verbose=-1).fit(frame, x["a"]),
        lambda: lightgbm.LGBMClassifier(verbose=-1).fit(x[["a"]], frame["s"]),
    ):
        try:
            work()
        except ValueError:
            pass
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("alive\n")
