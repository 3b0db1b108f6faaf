"""scikit-learn learns from our frames what it learns from those of pandas: names, labels, classes, scores."""

import numpy as np
import pandas as pd
import pytest

sklearn = pytest.importorskip("sklearn")

from pandas.testing import assert_frame_equal
from sklearn import (
    cluster,
    compose,
    decomposition,
    ensemble,
    feature_selection,
    impute,
    inspection,
    linear_model,
    metrics,
    model_selection,
    neighbors,
    pipeline,
    preprocessing,
    tree,
)

import cuprum


@pytest.fixture
def table():
    random = np.random.default_rng(3)
    expected = pd.DataFrame(
        {
            "distance": random.normal(size=120),
            "hour": random.integers(0, 24, 120),
            "late": random.random(120) > 0.5,
            "origin": random.choice(["EWR", "JFK", "LGA"], 120),
            "carrier": pd.Categorical(random.choice(["UA", "AA", "B6"], 120), categories=["UA", "B6", "AA"]),
        },
        index=[f"r{i}" for i in range(120)],
    )
    expected["delay"] = expected["distance"] * 2 + expected["hour"] / 10
    return expected, cuprum.from_pandas(expected)


def numbers(f):
    return f[["distance", "hour", "late"]]


ESTIMATORS = {
    "LinearRegression": lambda: linear_model.LinearRegression(),
    "Ridge": lambda: linear_model.Ridge(),
    "DecisionTreeRegressor": lambda: tree.DecisionTreeRegressor(random_state=0),
    "RandomForestRegressor": lambda: ensemble.RandomForestRegressor(5, random_state=0),
    "HistGradientBoostingRegressor": lambda: ensemble.HistGradientBoostingRegressor(
        max_iter=5, random_state=0
    ),
    "KNeighborsRegressor": lambda: neighbors.KNeighborsRegressor(),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_regressors(name, table):
    found = []
    for f in table:
        model = ESTIMATORS[name]().fit(numbers(f), f["delay"])
        found.append(
            (
                model.feature_names_in_.tolist(),
                model.predict(numbers(f)).tolist(),
                model.score(numbers(f), f["delay"]),
            )
        )
    assert found[1] == found[0]
    assert found[1][0] == ["distance", "hour", "late"]


@pytest.mark.parametrize("target", ["origin", "carrier", "late", "hour"])
def test_classes(target, table):
    found = []
    for f in table:
        x = f[["distance", "delay"]]
        model = linear_model.LogisticRegression(max_iter=2000).fit(x, f[target])
        predicted = model.predict(x)
        found.append(
            (
                model.classes_.tolist(),
                predicted.tolist(),
                model.score(x, f[target]),
                metrics.accuracy_score(f[target], predicted),
                metrics.confusion_matrix(f[target], predicted).tolist(),
                metrics.classification_report(f[target], predicted, zero_division=0),
            )
        )
    assert found[1] == found[0]


METRICS = {
    "accuracy": lambda f: metrics.accuracy_score(f["late"], f["other"]),
    "precision": lambda f: metrics.precision_score(f["late"], f["other"]),
    "recall": lambda f: metrics.recall_score(f["late"], f["other"]),
    "f1": lambda f: metrics.f1_score(f["late"], f["other"]),
    "confusion": lambda f: metrics.confusion_matrix(f["late"], f["other"]).tolist(),
    "report": lambda f: metrics.classification_report(f["late"], f["other"]),
    "balanced": lambda f: metrics.balanced_accuracy_score(f["late"], f["other"]),
    "kappa": lambda f: metrics.cohen_kappa_score(f["late"], f["other"]),
    "matthews": lambda f: metrics.matthews_corrcoef(f["late"], f["other"]),
    "jaccard": lambda f: metrics.jaccard_score(f["late"], f["other"]),
    "zero one": lambda f: metrics.zero_one_loss(f["late"], f["other"]),
    "hamming": lambda f: metrics.hamming_loss(f["late"], f["other"]),
    "area": lambda f: metrics.roc_auc_score(f["late"], f["distance"]),
    "curve": lambda f: [part.tolist() for part in metrics.roc_curve(f["late"], f["distance"])],
    "average precision": lambda f: metrics.average_precision_score(f["late"], f["distance"]),
    "log loss": lambda f: metrics.log_loss(f["late"], f["chance"]),
    "brier": lambda f: metrics.brier_score_loss(f["late"], f["chance"]),
    "weighted": lambda f: metrics.accuracy_score(f["late"], f["other"], sample_weight=f["hour"]),
    "of texts": lambda f: metrics.f1_score(
        f["origin"], f["origin"].shift(1, fill_value="JFK"), average="macro"
    ),
    "of categories": lambda f: metrics.accuracy_score(f["carrier"], f["carrier"]),
    "squares": lambda f: metrics.mean_squared_error(f["delay"], f["distance"]),
    "r2": lambda f: metrics.r2_score(f["delay"], f["distance"]),
    "of a frame": lambda f: metrics.r2_score(f[["delay", "hour"]], f[["distance", "hour"]]),
    "of truth and floats": lambda f: metrics.mean_absolute_error(f["late"], f["chance"]),
    "pairs": lambda f: metrics.pairwise_distances(numbers(f)).tolist(),
    "silhouette": lambda f: metrics.silhouette_score(numbers(f), f["origin"]),
    "adjusted rand": lambda f: metrics.adjusted_rand_score(f["origin"], f["carrier"]),
}


@pytest.mark.parametrize("name", METRICS)
def test_metrics(name, table):
    wanted, got = (
        METRICS[name](f.assign(other=f["distance"] > 0, chance=f["distance"].rank(pct=True) * 0.98 + 0.01))
        for f in table
    )
    assert got == wanted


TRANSFORMERS = {
    "StandardScaler": lambda: preprocessing.StandardScaler(),
    "MinMaxScaler": lambda: preprocessing.MinMaxScaler(),
    "PolynomialFeatures": lambda: preprocessing.PolynomialFeatures(2),
    "KBinsDiscretizer": lambda: preprocessing.KBinsDiscretizer(
        3, encode="ordinal", quantile_method="averaged_inverted_cdf"
    ),
    "PCA": lambda: decomposition.PCA(2),
    "SimpleImputer": lambda: impute.SimpleImputer(),
    "VarianceThreshold": lambda: feature_selection.VarianceThreshold(),
    "KMeans": lambda: cluster.KMeans(2, n_init=1, random_state=0),
    "FunctionTransformer": lambda: preprocessing.FunctionTransformer(np.sqrt, feature_names_out="one-to-one"),
}


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_transformers_keep_names_and_labels(name, table):
    data = [f[["distance", "hour"]].abs() for f in table]
    wanted, got = (TRANSFORMERS[name]().fit_transform(f) for f in data)
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))
    wanted, got = (TRANSFORMERS[name]().set_output(transform="pandas").fit_transform(f) for f in data)
    assert_frame_equal(got, wanted)
    assert got.index.tolist()[:2] == ["r0", "r1"]
    wanted, got = (TRANSFORMERS[name]().fit(f).get_feature_names_out().tolist() for f in data)
    assert got == wanted


@pytest.mark.parametrize(
    "encoder", [preprocessing.OneHotEncoder, preprocessing.OrdinalEncoder, preprocessing.TargetEncoder]
)
def test_encoders(encoder, table):
    given = {"sparse_output": False} if encoder is preprocessing.OneHotEncoder else {}
    if encoder is preprocessing.TargetEncoder:
        given = {"cv": model_selection.KFold(3)}
    found = []
    for f in table:
        made = encoder(**given).set_output(transform="pandas")
        encoded = made.fit_transform(f[["origin", "carrier", "late"]], f["delay"])
        found.append((encoded, [part.tolist() for part in made.categories_]))
    assert_frame_equal(found[1][0], found[0][0])
    assert found[1][1] == found[0][1]


def test_pipelines_of_columns(table):
    found = []
    for f in table:
        by_column = compose.ColumnTransformer(
            [
                ("numbers", preprocessing.StandardScaler(), ["distance", "hour"]),
                ("texts", preprocessing.OneHotEncoder(sparse_output=False), ["origin", "carrier"]),
                ("rest", "passthrough", ["late"]),
            ],
            verbose_feature_names_out=False,
        ).set_output(transform="pandas")
        model = pipeline.make_pipeline(by_column, linear_model.Ridge()).fit(f, f["delay"])
        found.append(
            (by_column.transform(f), model.predict(f).tolist(), by_column.get_feature_names_out().tolist())
        )
    assert_frame_equal(found[1][0], found[0][0])
    assert found[1][1:] == found[0][1:]


def test_columns_by_type(table):
    found = []
    for f in table:
        choose = compose.make_column_selector(dtype_include="number")
        found.append(choose(f))
    assert found[1] == found[0]


def test_missing_elements(table):
    found = []
    for f in table:
        x = f[["distance", "hour"]].assign(distance=f["distance"].where(f["hour"] > 4))
        filled = impute.SimpleImputer().set_output(transform="pandas").fit_transform(x)
        texts = impute.SimpleImputer(strategy="most_frequent").fit_transform(
            f[["origin"]].where(f["hour"] > 4)
        )
        model = ensemble.HistGradientBoostingRegressor(max_iter=3, random_state=0).fit(x, f["delay"])
        found.append((filled, texts.tolist(), model.predict(x).tolist()))
        with pytest.raises(ValueError, match="NaN"):
            linear_model.LinearRegression().fit(x, f["delay"])
    assert_frame_equal(found[1][0], found[0][0])
    assert found[1][1:] == found[0][1:]


def test_categories_of_gradient_boosting(table):
    found = []
    for f in table:
        x = f[["distance", "carrier"]]
        model = ensemble.HistGradientBoostingRegressor(
            max_iter=5, random_state=0, categorical_features="from_dtype"
        ).fit(x, f["delay"])
        found.append((model.is_categorical_.tolist(), model.predict(x).tolist()))
    assert found[1] == found[0]


def test_splits_keep_the_kind_and_the_labels(table):
    expected, frame = table
    theirs = model_selection.train_test_split(
        expected, expected["delay"], random_state=0, stratify=expected["late"]
    )
    ours = model_selection.train_test_split(frame, frame["delay"], random_state=0, stratify=frame["late"])
    for mine, other in zip(ours, theirs, strict=True):
        assert isinstance(mine, (cuprum.DataFrame, cuprum.Series))
        assert mine.index.tolist() == other.index.tolist()
        assert mine.to_pandas().equals(other)
    for cv, groups in (
        (model_selection.KFold(3), None),
        (model_selection.StratifiedKFold(3), None),
        (model_selection.GroupKFold(3), "origin"),
    ):
        wanted, got = (
            [part.tolist() for pair in cv.split(numbers(f), f["late"], groups and f[groups]) for part in pair]
            for f in table
        )
        assert got == wanted


def test_scores_and_searches(table):
    found = []
    for f in table:
        scores = model_selection.cross_val_score(linear_model.Ridge(), numbers(f), f["delay"], cv=3)
        search = model_selection.GridSearchCV(
            tree.DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3, scoring="f1"
        ).fit(f[["distance", "hour"]], f["late"])
        predicted = model_selection.cross_val_predict(linear_model.Ridge(), numbers(f), f["delay"], cv=3)
        found.append((scores.tolist(), search.best_params_, search.best_score_, predicted.tolist()))
    assert found[1] == found[0]


def test_columns_of_other_names_are_refused_as_of_pandas(table):
    for f in table:
        model = linear_model.LinearRegression().fit(numbers(f), f["delay"])
        with pytest.raises(ValueError, match="feature names"):
            model.predict(numbers(f).rename(columns={"hour": "minute"}))
        with pytest.raises(ValueError, match="feature names"):
            model.predict(f[["hour", "distance", "late"]])


def test_inspection(table):
    found = []
    for f in table:
        model = tree.DecisionTreeRegressor(random_state=0, max_depth=3).fit(numbers(f), f["delay"])
        importance = inspection.permutation_importance(
            model, numbers(f), f["delay"], n_repeats=2, random_state=0
        )
        partial = inspection.partial_dependence(model, numbers(f), ["distance"])
        found.append((importance.importances.tolist(), partial["average"].tolist()))
    assert found[1] == found[0]


def test_labels_that_are_no_texts(table):
    for f in table:
        renamed = numbers(f).set_axis([0, 1, 2], axis=1)
        model = linear_model.LinearRegression().fit(renamed, f["delay"])
        assert not hasattr(model, "feature_names_in_")
        mixed = numbers(f).set_axis(["a", "b", 2], axis=1)
        with pytest.raises(TypeError, match="string"):
            linear_model.LinearRegression().fit(mixed, f["delay"])


def test_binarizers_and_label_encoders(table):
    found = []
    for f in table:
        encoder = preprocessing.LabelEncoder()
        found.append(
            (
                encoder.fit_transform(f["carrier"]).tolist(),
                encoder.classes_.tolist(),
                preprocessing.LabelBinarizer().fit_transform(f["late"]).tolist(),
                preprocessing.label_binarize(f["origin"], classes=["EWR", "JFK", "LGA"]).tolist(),
                sklearn.utils.class_weight.compute_sample_weight("balanced", f["late"]).tolist(),
                sklearn.utils.resample(f, n_samples=5, random_state=0).index.tolist(),
                sklearn.utils.shuffle(f, random_state=0).index.tolist(),
            )
        )
    assert found[1] == found[0]
