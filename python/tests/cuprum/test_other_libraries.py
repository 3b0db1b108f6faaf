"""Frames in libraries that take any: the protocol of data frames, narwhals, scikit-learn. Those that are not installed are left out."""

import numpy as np
import pyarrow.interchange
import pytest

import cuprum


@pytest.fixture
def frame():
    columns = {"a": [1, 2, None, 4], "b": [0.5, 1.5, 2.5, 3.0], "k": ["x", "y", None, "x"]}
    return cuprum.DataFrame(columns, index=list("pqrs"))


def test_the_protocol_of_data_frames(frame):
    table = pyarrow.interchange.from_dataframe(frame)
    assert table.to_pydict() == frame.to_arrow().to_pydict()
    with pytest.raises(NotImplementedError, match="nan_as_null"):
        frame.__dataframe__(nan_as_null=True)


@pytest.mark.host
def test_the_protocol_of_data_frames_without_copies(frame):
    assert frame.__dataframe__(allow_copy=False).num_rows() == 4
    with pytest.raises(ValueError, match="allow_copy"):
        (frame[["b"]] > 1).__dataframe__(allow_copy=False)


def test_narwhals_reads_frames_and_series(frame):
    import narwhals as nw

    found = nw.from_native(frame)
    assert found.columns == ["a", "b", "k"] and found.schema["b"] == nw.Float64
    chosen = found.filter(nw.col("b") > 1).select(c=nw.col("b") * 2)
    assert chosen["c"].to_list() == [3.0, 5.0, 6.0]
    sums = found.group_by("k").agg(nw.col("b").sum()).sort("b")
    assert sums["b"].to_list() == [1.5, 2.5, 3.5]
    series = nw.from_native(frame["a"], series_only=True)
    assert series.name == "a" and series.to_list() == [1, 2, None, 4]
    assert cuprum.DataFrame(chosen.to_native())["c"].sum() == 14.0


@pytest.mark.parametrize("kind", ["intervals", "objects"])
@pytest.mark.filterwarnings("ignore:The Dataframe Interchange Protocol")
def test_columns_of_no_arrow_type_do_not_hinder_others(frame, kind):
    import narwhals as nw

    compose, preprocessing = (
        pytest.importorskip("sklearn.compose"),
        pytest.importorskip("sklearn.preprocessing"),
    )
    frame["c"] = cuprum.cut(frame.b, 2) if kind == "intervals" else [1, "x", None, {2}]
    scaled = compose.ColumnTransformer(
        [("s", preprocessing.StandardScaler(), ["b"])], remainder="passthrough"
    )
    made = scaled.fit_transform(frame)
    assert made.shape == (4, 4) and made[0, 0] < made[1, 0] and made[1, 3] == frame["c"].iloc[1]
    assert nw.from_native(frame).select("b")["b"].to_list() == [0.5, 1.5, 2.5, 3.0]
    assert nw.from_native(frame["c"], series_only=True).name == "c"
    assert frame.__dataframe__().num_columns() == 4


def test_scikit_learn_takes_frames(frame):
    from sklearn import compose, model_selection, preprocessing
    from sklearn import linear_model as linear

    x, y = frame[["b"]].assign(c=[1, 0, 1, 0]), frame["b"] * 2 + 1
    mine, theirs = (linear.LinearRegression().fit(*data) for data in ((x, y), (x.to_pandas(), y.to_pandas())))
    assert mine.feature_names_in_.tolist() == ["b", "c"]
    np.testing.assert_allclose(mine.predict(x), theirs.predict(x.to_pandas()))
    by_name = compose.ColumnTransformer([("s", preprocessing.StandardScaler(), ["b"])])
    np.testing.assert_allclose(by_name.fit_transform(x), by_name.fit_transform(x.to_pandas()))
    train, test = model_selection.train_test_split(x, random_state=0)
    assert isinstance(train, cuprum.DataFrame) and sorted([*train.index, *test.index]) == list("pqrs")


def test_pyarrow_makes_of_frames_what_it_makes_of_those_of_pandas(frame):
    import pyarrow as pa

    frame.index.name = "row"
    expected = frame.to_pandas()
    for make in (pa.Table.from_pandas, pa.RecordBatch.from_pandas, pa.Schema.from_pandas):
        wanted, got = make(expected), make(frame)
        assert (
            got.equals(wanted)
            and getattr(got, "schema", got).metadata == getattr(wanted, "schema", wanted).metadata
        )
    assert pa.Table.from_pandas(frame).to_pandas().equals(expected)
    assert pa.Table.from_pandas(frame, preserve_index=False).column_names == ["a", "b", "k"]
    assert pa.Array.from_pandas(frame["b"]).equals(pa.Array.from_pandas(expected["b"]))


def test_metrics_of_truth_values(frame):
    from sklearn import metrics

    late = cuprum.Series([True, False, True, True]), cuprum.Series([True, True, True, False])
    report = metrics.classification_report(*late)
    assert report == metrics.classification_report(*(one.to_pandas() for one in late))
    assert metrics.accuracy_score(*late) == 0.5
