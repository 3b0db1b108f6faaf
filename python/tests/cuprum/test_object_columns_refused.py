"""Columns of Python objects: what needs a type, and refuses them."""

import io

import pandas as pd
import pyarrow as pa
import pytest

import cuprum
import pylibcuprum


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "use",
    [
        lambda f: f.to_arrow(),
        lambda f: f.to_parquet("x.parquet"),
        lambda f: f.to_pylibcudf(),
        lambda f: f.hash_values(),
        lambda f: f.partition_by_hash(["o"], 2),
        lambda f: cuprum.Index(f["o"]) if cuprum.Series([{1}]).nunique() else None,
        lambda f: pylibcuprum.unary.is_valid(f["o"]._handle.column()),
    ],
    ids=["arrow", "parquet", "pylibcudf", "hashes", "partitions", "index", "column"],
)
def test_what_needs_a_type_refuses_objects(use, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((TypeError, ValueError, NotImplementedError)):
        use(cuprum.DataFrame({"o": [{1}, "x"]}))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("objects", "says"),
    [
        (
            [1, "a"],
            r"^column 'o': row 1 is 'a' \(str\), which no type of Arrow holds beside those before it: give ",
        ),
        (
            [None, 1j],
            r"^column 'o': row 1 is 1j \(complex\), which no type of Arrow holds: give .* with astype",
        ),
        ([[1], None, "a"], r"^column 'o': row 2 is 'a' \(str\)"),
    ],
)
@pytest.mark.parametrize("write", ["to_parquet", "to_feather"])
def test_the_column_and_the_object_that_has_no_type_of_arrow_come_first(objects, says, write):
    frame = pd.DataFrame({"n": [1] * len(objects), "o": pd.Series(objects, dtype=object)})
    with pytest.raises(pa.ArrowInvalid):
        getattr(frame, write)(io.BytesIO())
    with pytest.raises(pa.ArrowInvalid, match=says):
        getattr(cuprum.DataFrame(frame), write)(io.BytesIO())


OBJECTS = pd.DataFrame({"k": [1, 1, 2], "o": [1, "x", None], "v": [1.0, 2.0, 3.0]})


SERIES = pd.Series([1, "a", 2.5, None], index=list("wxyz"), name="s")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", ["s.sum()", "s.max()", "s.abs()", "ob.sum()", "s.sort_values()", "s > 1"])
def test_operations_without_a_meaning_for_objects_are_refused_as_in_pandas(code):
    with pytest.raises(TypeError) as expected:
        eval(code, {"s": SERIES, "ob": OBJECTS})
    with pytest.raises(TypeError) as caught:
        eval(code, {"s": cuprum.Series(SERIES), "ob": cuprum.DataFrame(OBJECTS)})
    assert str(caught.value) == str(expected.value)


@pytest.mark.filterwarnings("ignore")
def test_objects_have_no_nullable_type_of_pandas():
    series = cuprum.Series([{1}, None])
    assert series.to_pandas(nullable=True).dtype == series.to_pandas().dtype == object
    with pytest.raises(TypeError, match="to_pandas: `nullable` must be True or False, not 3"):
        series.to_pandas(nullable=3)
