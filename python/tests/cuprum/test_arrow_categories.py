"""Categories through Arrow: their order and whether it means something, both ways."""

import pandas as pd
import pyarrow as pa
import pytest
from oracle import assert_like

import cuprum as cp

MANY = ["x", *(f"k{i}" for i in range(200, 0, -1))]
DAYS = pd.to_datetime(["2020-01-01", "2019-01-01"])
KINDS = {
    "ordered texts": pd.Categorical(["b", "a", None], categories=["c", "b", "a"], ordered=True),
    "texts": pd.Categorical(["b", "a", None], categories=["c", "b", "a"]),
    "ordered numbers": pd.Categorical([3, 1, None], categories=[3, 2, 1], ordered=True),
    "floats": pd.Categorical([1.5, None], categories=[2.5, 1.5]),
    "truth values": pd.Categorical([True, None], categories=[True, False]),
    "days": pd.Categorical(DAYS, categories=DAYS, ordered=True),
    "codes of 16 bits": pd.Categorical(MANY, categories=MANY),
}


@pytest.mark.parametrize("kind", KINDS)
def test_columns_keep_categories_their_order_and_its_flag(kind):
    theirs = pd.Series(KINDS[kind])
    array = pa.array(theirs)
    for arrow in (array, pa.chunked_array([array, array])):
        ours = cp.Series(arrow)
        pd.testing.assert_series_equal(ours.to_pandas(), arrow.to_pandas())
        back = pa.array(ours)
        assert back.type.ordered == array.type.ordered
        pd.testing.assert_series_equal(back.to_pandas(), arrow.to_pandas())


@pytest.mark.parametrize("kind", KINDS)
def test_tables_keep_categories_their_order_and_its_flag(kind):
    table = pa.table({"a": pd.Series(KINDS[kind]), "b": pd.Series(KINDS[kind])})
    ours = cp.DataFrame(table)
    pd.testing.assert_frame_equal(ours.to_pandas(), table.to_pandas())
    back = pa.table(ours)
    assert [field.type.ordered for field in back.schema] == [field.type.ordered for field in table.schema]
    pd.testing.assert_frame_equal(back.to_pandas(), table.to_pandas())


def test_chunks_of_other_categories_have_those_of_all():
    parts = [(["b", "a"], [0, 1]), (["c", "a"], [0, 1, None])]
    chunks = [pa.DictionaryArray.from_arrays(rows, keys, ordered=True) for keys, rows in parts]
    chunked = pa.chunked_array(chunks)
    pd.testing.assert_series_equal(cp.Series(chunked).to_pandas(), chunked.to_pandas())


def test_keys_that_repeat_or_are_missing():
    ours = cp.Series(pa.DictionaryArray.from_arrays([0, 1, 2, 3], ["b", "a", "b", None])).to_pandas()
    assert list(ours.cat.categories) == ["b", "a"]
    assert list(ours.cat.codes) == [0, 1, 0, -1]


def test_categories_of_instants_keep_their_zone(tmp_path):
    theirs = pd.Series(KINDS["days"].as_unordered()).cat.rename_categories(DAYS.tz_localize("Europe/Berlin"))
    for ours in (cp.Series(theirs), cp.Series(pa.array(theirs)), cp.DataFrame(pa.table({"a": theirs}))["a"]):
        pd.testing.assert_series_equal(ours.to_pandas(), theirs, check_names=False)
        assert pa.array(ours).type.value_type == pa.timestamp("us", "Europe/Berlin")
        assert ours.to_list() == theirs.to_list()
        assert ours[0] == theirs[0]
        for value in (theirs[0], theirs[1].tz_convert("UTC"), theirs[0].tz_localize(None)):
            assert (ours == value).to_list() == [value == own for own in theirs]
            if value.tzinfo is not None:
                assert ours.isin([value]).to_list() == theirs.isin([value]).to_list()
        written = ours.copy()
        written.iloc[0] = theirs[1]
        assert written.to_list() == [theirs[1], theirs[1]]
        cp.DataFrame({"a": ours}).to_parquet(tmp_path / "a.parquet")
        read = cp.read_parquet(tmp_path / "a.parquet")["a"].to_pandas()
        pd.testing.assert_series_equal(read, theirs, check_names=False)


def test_instants_become_categories():
    theirs = pd.Series(DAYS.tz_localize("Asia/Tokyo"))
    ours = cp.Series(theirs).astype("category")
    pd.testing.assert_series_equal(ours.to_pandas(), theirs.astype("category"))


def test_dictionaries_inside_of_structs_ascend():
    keys = pa.DictionaryArray.from_arrays([0, 1], ["b", "a"])
    field = cp.Series(pa.StructArray.from_arrays([keys], ["f"])).struct.field("f")
    assert field.to_list() == ["b", "a"]
    assert list(field.cat.categories) == ["a", "b"]


@pytest.mark.parametrize(
    "labels",
    [
        pa.array([1, 2]),
        pa.array(["a", None]),
        pa.chunked_array([[1.5], [2.5]]),
        pa.array(["b", "a", "b"]).dictionary_encode(),
    ],
    ids=lambda labels: str(labels.type),
)
def test_labels_of_arrow(labels):
    assert_like(cp.Index(labels), pd.Index(labels))


NOTHING = {
    "texts": pd.Categorical([None] * 4, categories=["b", "a"]),
    "ordered": pd.Categorical([None] * 4, categories=["b", "a"], ordered=True),
    "no categories": pd.Categorical([None] * 4, categories=[]),
    "no texts": pd.Categorical([None] * 4, categories=pd.Index([], dtype="str")),
    "integers": pd.Categorical([None] * 4, categories=[3, 1]),
}


@pytest.mark.parametrize("rows", [4, 0])
@pytest.mark.parametrize("groups", [None, 1, 3])
@pytest.mark.parametrize("name", NOTHING)
def test_categories_of_nothing_in_parquet(name, groups, rows, tmp_path):
    frame = pd.DataFrame({"c": NOTHING[name][:rows], "v": range(rows)})
    frame.to_parquet(tmp_path / "theirs.parquet", row_group_size=groups)
    read = cp.read_parquet(tmp_path / "theirs.parquet")
    assert read["c"].isna().all()
    assert len(read) == rows
    if isinstance(pd.read_parquet(tmp_path / "theirs.parquet")["c"].dtype, pd.CategoricalDtype):
        assert read["c"].cat.ordered == frame["c"].cat.ordered
    cp.DataFrame(frame).to_parquet(tmp_path / "ours.parquet", row_group_size=groups)
    for lib in (pd, cp):
        back = lib.read_parquet(tmp_path / "ours.parquet")
        assert back["c"].isna().all()
        assert len(back) == rows
