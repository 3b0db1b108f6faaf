"""Messages of readers and writers have no passwords, signatures, headers and other values of options."""

import logging
import traceback
import warnings

import fsspec
import pandas as pd
import pytest
from pyarrow import fs as arrow_fs

import cuprum
from cuprum.core.redaction import secrets_in, without_secrets, without_these
from cuprum.io.addresses import RemotePath, remote_path_of

FRAME = cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]})


class Telling(fsspec.AbstractFileSystem):
    """Files that cannot be had, whose errors tell everything that they know."""

    protocol = "telling"
    cachable = False

    @classmethod
    def _strip_protocol(cls, path):
        return path

    def unstrip_protocol(self, path):
        return path

    def tell(self, *args, **kwargs):
        known = f"{self.storage_options} {args} {kwargs}"
        raise ValueError(f"cannot: {known}") from RuntimeError(known)

    info = cat_file = glob = find = exists = open = _open = ls = tell

    def makedirs(self, path, exist_ok=False):
        pass


for name in ("telling", "tells3", "tellabfs"):
    fsspec.register_implementation(name, type(name, (Telling,), {"protocol": name}), clobber=True)

ADDRESSES = [
    "telling://host/{name}",
    "telling://user:s3cret@host/{name}",
    "telling://user:s3cret%40word@host/{name}",
    "telling://user:p@s3cret@host/{name}",
    "telling://user:s3cret/word@host/{name}",
    "telling://user:s3cret?word@host/{name}",
    "telling://s3cret@host/{name}",
    "TELLING://user:s3cret@host/{name}",
    "telling://host/{name}?sig=s3cret",
    "telling://host/{name}?sv=1&sig=s3cret%2Bword&se=2",
    "telling://host/{name}?X-Amz-Credential=s3cret&X-Amz-Signature=s3cret",
    "tellabfs://container@account/{name}?sig=s3cret",
    "tells3://key:s3cret@bucket/{name}",
]
OPTIONS = [
    {},
    {"secret": "s3cret"},
    {"key": "s3cret", "endpoint_url": "https://user:s3cret@host"},
    {"client_kwargs": {"headers": {"Authorization": "Bearer s3cret", "X-Whatever": "s3cret"}}},
    {"headers": {"Cookie": "id=s3cret"}, "password": "s3cret", "username": "s3cret"},
    {"sas_token": b"s3cret", "auth": ("user", "s3cret"), "anything": ["s3cret", {"deep": "s3cret"}]},
    {"connection_string": "DefaultEndpointsProtocol=https;AccountKey=s3cret"},
]
READERS = {
    "a.csv": cuprum.read_csv,
    "a.txt": cuprum.read_table,
    "a.fwf": cuprum.read_fwf,
    "a.json": cuprum.read_json,
    "a.parquet": cuprum.read_parquet,
    "*.parquet": cuprum.read_parquet,
    "a.orc": cuprum.read_orc,
    "a.feather": cuprum.read_feather,
    "a.avro": cuprum.read_avro,
    "a": cuprum.read_text,
}


def _write_data_set(path, **options):
    with cuprum.io.parquet.ParquetDatasetWriter(path, partition_cols=["b"], **options) as writer:
        writer.write_table(FRAME)


def _write_parquet(path, **options):
    with cuprum.io.parquet.ParquetWriter(path, **options) as writer:
        writer.write_table(FRAME)


WRITERS = {
    "b.csv": FRAME.to_csv,
    "b.csv.gz": FRAME.to_csv,
    "b.json": FRAME.to_json,
    "b.parquet": FRAME.to_parquet,
    "b": lambda path, **options: FRAME.to_parquet(path, partition_cols=["b"], **options),
    "b.orc": FRAME.to_orc,
    "b.feather": FRAME.to_feather,
    "b.avro": FRAME.to_avro,
    "c.parquet": _write_parquet,
    "c": _write_data_set,
}
THROUGH_PANDAS = {
    "a.pkl": cuprum.read_pickle,
    "a.xml": cuprum.read_xml,
    "a.dta": cuprum.read_stata,
    "b.pkl": FRAME.to_pickle,
    "b.xml": FRAME.to_xml,
    "b.dta": FRAME.to_stata,
}
EVERYTHING = READERS | WRITERS | THROUGH_PANDAS


def told(call, caplog):
    """Return all that a call that fails says: its error, what is behind it, warnings and logs."""
    with warnings.catch_warnings(record=True) as caught, caplog.at_level(logging.DEBUG):
        warnings.simplefilter("always")
        with pytest.raises(Exception) as raised:
            call()
    error = raised.value
    texts = [repr(error), str(error), *map(str, caught), *caplog.messages]
    while error is not None:
        texts += traceback.format_exception_only(error)
        error = error.__cause__ or error.__context__
    return "\n".join(texts)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr("cuprum.io.addresses.WAITS", [])


PAIRS = [(address, {"token": "s3cret"}) for address in ADDRESSES]
PAIRS += [("telling://host/{name}", options) for options in OPTIONS]


@pytest.mark.parametrize(("address", "options"), PAIRS)
@pytest.mark.parametrize("name", EVERYTHING)
def test_no_message_has_a_secret(name, address, options, caplog):
    address = address.format(name=name)
    said = told(lambda: EVERYTHING[name](address, storage_options=options), caplog)
    assert "s3cret" not in said
    assert name.rpartition("*")[2] in said or name in THROUGH_PANDAS
    if name not in THROUGH_PANDAS:
        said = told(lambda: EVERYTHING[name](f"simplecache::{address}", storage_options=options), caplog)
        assert "s3cret" not in said


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", ["a.parquet", "a[1].parquet", "b.parquet", "a.orc", "b"])
def test_no_message_has_a_secret_of_a_file_system(name, options, caplog):
    files = Telling(**options)
    call = EVERYTHING[name.replace("[1]", "")]
    for given in (options or {"token": "s3cret"}, None):
        said = told(lambda given=given: call(f"host/{name}", filesystem=files, storage_options=given), caplog)
        assert "s3cret" not in said
    for wrong in ("telling://user:s3cret@host", {"token": "s3cret"}):
        assert "s3cret" not in told(lambda wrong=wrong: call(name, filesystem=wrong), caplog)
    said = told(lambda: call(f"telling://user:s3cret@host/{name}", filesystem=files), caplog)
    assert "s3cret" not in said
    if not options:
        said = told(
            lambda: call(
                "none/" + name, filesystem=arrow_fs.LocalFileSystem(), storage_options={"k": "s3cret"}
            ),
            caplog,
        )
        assert "s3cret" not in said
        assert "'k'" in said


@pytest.mark.parametrize("mode", ["rb", "wb"])
def test_no_message_has_a_secret_of_an_opened_file(mode, caplog):
    opened = fsspec.open("telling://user:s3cret@host/a.csv", mode, token="s3cret")
    call = (lambda: cuprum.read_csv(opened)) if mode == "rb" else (lambda: FRAME.to_csv(opened))
    assert "s3cret" not in told(call, caplog)


def test_a_place_shows_its_name_alone():
    place = remote_path_of("telling://user:s3cret@host/a", "path", {"token": "s3cret"})
    assert repr(place) == "RemotePath('telling://host/a')"
    assert isinstance(place.at("telling://host/b"), RemotePath)


@pytest.mark.parametrize(("address", "shown"), [
    ("ftp://user:p@ss@host/x.csv", "ftp://host/x.csv"),
    ("HTTPS://h/x?sig=TOKEN", "https://h/x"),
    ("https://h/x#access_token=TOKEN", "https://h/x"),
    ("https://h/a@b.csv", "https://h/a@b.csv"),
    ("s3://bucket/a@b.csv", "s3://bucket/a@b.csv"),
    ("s3://bucket/what?.csv", "s3://bucket/what?.csv"),
    ("https://[::1]:80/a", "https://[::1]:80/a"),
    ("https://host:8080/a@b", "https://host:8080/a@b"),
    ("abfs://container@account.dfs.core.windows.net/a", "abfs://container@account.dfs.core.windows.net/a"),
    ("abfss://c@a/x?sig=TOKEN", "abfss://c@a/x"),
    ("abfs://user:pass@a/x", "abfs://a/x"),
    ("gs://b/o?X-Goog-Signature=TOKEN", "gs://b/o"),
    ("zip://a.csv::https://u:p@h/b.zip?sig=T", "zip://a.csv"),
    ("https:///x", "https:///x"),
    ("a.csv", "a.csv"),
])  # fmt: skip
def test_addresses_as_messages_show_them(address, shown):
    assert without_secrets(address) == shown
    assert without_secrets(shown) == shown


def test_secrets_are_found_in_texts_of_others():
    secrets = secrets_in("ftp://user:p%40ss@host/x", {"token": "ab", "region": "eu-1", "port": 80})
    text = without_these(
        "GET ftp://other:pw@host failed for p@ss and p%40ss in eu-1 with ab, not abba", secrets
    )
    assert text == "GET ftp://host failed for … and … in eu-1 with …, not abba"


def test_refused_options_are_not_shown(caplog):
    for function, name in (
        (cuprum.read_parquet, "dataset_kwargs"),
        (cuprum.read_parquet, "to_pandas_kwargs"),
    ):
        said = told(lambda function=function, name=name: function("x", **{name: {"token": "s3cret"}}), caplog)
        assert name in said
        assert "s3cret" not in said


def test_what_pandas_reads_and_fails_with_keeps_its_kind(tmp_path):
    with pytest.raises(FileNotFoundError):
        cuprum.read_pickle(tmp_path / "none.pkl")
    path = tmp_path / "a.pkl"
    FRAME.to_pickle(path)
    pd.testing.assert_frame_equal(cuprum.read_pickle(path).to_pandas(), FRAME.to_pandas())
