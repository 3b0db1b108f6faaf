"""XGBoost learns from our frames what it learns from those of pandas: names, types, predictions."""

import numpy as np
import pandas as pd
import pytest

xgb = pytest.importorskip("xgboost")

import cuprum

PARAMS = {"max_depth": 3, "seed": 1, "nthread": 1, "tree_method": "hist"}


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


def numbers(x):
    return x[["distance", "hour", "late"]]


def trained(x, y):
    return xgb.train(PARAMS, xgb.DMatrix(x, y), num_boost_round=5)


def same_model(ours, theirs):
    assert ours.feature_names == theirs.feature_names
    assert ours.feature_types == theirs.feature_types
    assert ours.get_dump(with_stats=True) == theirs.get_dump(with_stats=True)


@pytest.mark.parametrize("matrix", [xgb.DMatrix, xgb.QuantileDMatrix])
def test_matrices(table, matrix):
    (px_, py), (x, y) = table
    wanted, got = (
        matrix(px_, py, weight=py.abs(), enable_categorical=True),
        matrix(x, y, weight=y.abs(), enable_categorical=True),
    )
    assert got.feature_names == wanted.feature_names == ["distance", "hour", "late", "carrier"]
    assert got.feature_types == wanted.feature_types == ["float", "int", "i", "c"]
    assert np.array_equal(got.get_label(), wanted.get_label())
    assert np.array_equal(got.get_weight(), wanted.get_weight())
    assert (got.get_data() != wanted.get_data()).nnz == 0


def test_boosters(table):
    (px_, py), (x, y) = table
    theirs, ours = trained(numbers(px_), py), trained(numbers(x), y)
    same_model(ours, theirs)
    wanted = theirs.predict(xgb.DMatrix(numbers(px_)))
    assert np.array_equal(ours.predict(xgb.DMatrix(numbers(x))), wanted)
    assert np.array_equal(ours.inplace_predict(numbers(x)), theirs.inplace_predict(numbers(px_)))


def test_columns_in_another_order_are_refused_as_of_pandas(table):
    (px_, py), (x, y) = table
    for data, target in ((numbers(px_), py), (numbers(x), y)):
        model, other = trained(data, target), data[["late", "hour", "distance"]]
        with pytest.raises(ValueError, match="feature_names mismatch"):
            model.predict(xgb.DMatrix(other))
        with pytest.raises(ValueError, match="feature_names mismatch"):
            model.inplace_predict(other)
        fitted = xgb.XGBRegressor(n_estimators=3, n_jobs=1).fit(data, target)
        with pytest.raises(ValueError, match="feature_names mismatch"):
            fitted.predict(other)


def test_categories(table):
    models = [xgb.XGBRegressor(n_estimators=5, n_jobs=1, enable_categorical=True).fit(x, y) for x, y in table]
    theirs, ours = models
    same_model(ours.get_booster(), theirs.get_booster())
    (px_, _), (x, _) = table
    wanted = theirs.predict(px_)
    assert np.array_equal(ours.predict(x), wanted)
    # Categories of another order are the same categories.
    order = ["AA", "UA", "B6"]
    turned = x.assign(carrier=x["carrier"].cat.set_categories(order))
    assert np.array_equal(
        ours.predict(turned), theirs.predict(px_.assign(carrier=px_["carrier"].cat.set_categories(order)))
    )


def test_texts_and_categories_that_are_not_enabled_are_refused(table):
    for x, y in table:
        with pytest.raises(ValueError, match="carrier"):
            xgb.DMatrix(x, y, enable_categorical=False)
        with pytest.raises(ValueError, match="carrier"):
            xgb.DMatrix(x.astype({"carrier": "str"}), y)


def test_estimators(table):
    results = []
    for x, y in table:
        x, late = numbers(x), (y > 1).astype("int64")
        regressor = xgb.XGBRegressor(n_estimators=5, n_jobs=1, early_stopping_rounds=2)
        regressor.fit(x, y, eval_set=[(x, y)], verbose=False)
        classifier = xgb.XGBClassifier(n_estimators=5, n_jobs=1).fit(x, late, sample_weight=y.abs())
        results.append(
            {
                "names": regressor.feature_names_in_.tolist(),
                "importances": regressor.feature_importances_.tolist(),
                "evaluated": regressor.evals_result(),
                "predicted": regressor.predict(x).tolist(),
                "score": regressor.score(x, y),
                "leaves": regressor.apply(x).tolist(),
                "classes": classifier.predict(x).tolist(),
                "chances": classifier.predict_proba(x).tolist(),
            }
        )
    assert results[1] == results[0]
    assert results[1]["names"] == ["distance", "hour", "late"]


def test_rankers(table):
    results = []
    for x, y in table:
        x, grades = numbers(x).assign(qid=[i // 20 for i in range(200)]), (y > 1).astype("int64")
        ranker = xgb.XGBRanker(n_estimators=3, n_jobs=1).fit(x, grades)
        results.append((ranker.feature_names_in_.tolist(), ranker.predict(x).tolist()))
    assert results[1] == results[0]


def test_data_in_batches(table):
    class Batches(xgb.DataIter):
        def __init__(self, x, y):
            self.batches, self.at = [(x.iloc[:100], y.iloc[:100]), (x.iloc[100:], y.iloc[100:])], 0
            super().__init__()

        def next(self, input_data):
            if self.at == len(self.batches):
                return False
            data, label = self.batches[self.at]
            input_data(data=data, label=label)
            self.at += 1
            return True

        def reset(self):
            self.at = 0

    theirs, ours = (
        xgb.train(PARAMS, xgb.QuantileDMatrix(Batches(numbers(x), y)), num_boost_round=3) for x, y in table
    )
    same_model(ours, theirs)
