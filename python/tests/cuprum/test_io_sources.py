"""Where files come from and go to: paths, bytes, open files, addresses, several at once."""

import gc
import io
import os
import sys
import urllib.parse
from functools import partial

import fsspec
import pandas as pd
import pytest
from oracle import assert_like

import cuprum

FRAME = pd.DataFrame({"a": [1, 2, 3], "s": ["x", None, "é"]})


@pytest.fixture
def memory():
    files = fsspec.filesystem("memory")
    yield files
    files.store.clear()


WRITERS = {
    "csv": (lambda f, to, **o: f.to_csv(to, index=False, **o), cuprum.read_csv, pd.read_csv),
    "parquet": (lambda f, to, **o: f.to_parquet(to, **o), cuprum.read_parquet, pd.read_parquet),
    "feather": (lambda f, to, **o: f.to_feather(to, **o), cuprum.read_feather, pd.read_feather),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_addresses_in_sources(kind, memory):
    write, read, theirs = WRITERS[kind]
    address = f"memory://folder/data.{kind}"
    write(cuprum.DataFrame(FRAME), address)
    assert_like(read(address), FRAME)
    pd.testing.assert_frame_equal(theirs(io.BytesIO(memory.cat("/folder/data." + kind))), FRAME)
    assert_like(read(address, storage_options={"skip_instance_cache": True}), FRAME)


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("start", ["file://", "file://localhost", "FILE://LocalHost", "local://"])
def test_urls_of_files(kind, start, tmp_path):
    write, read, theirs = WRITERS[kind]
    name = "a b#c%é.data"
    write(cuprum.DataFrame(FRAME), str(tmp_path / name))
    path = f"{tmp_path}/{name}" if start == "local://" else urllib.parse.quote(f"{tmp_path}/{name}")
    assert_like(read(start + path), FRAME)
    if kind == "csv" and start != "local://":
        pd.testing.assert_frame_equal(theirs(start.lower() + path), FRAME)
    written = path.replace(".data", ".other")
    write(cuprum.DataFrame(FRAME), start + written)
    assert_like(read(str(tmp_path / name.replace(".data", ".other"))), FRAME)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_link_to_nothing_stays_a_link(kind, tmp_path):
    write, read, _ = WRITERS[kind]
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    for name in (link, f"file://{link}"):
        target.unlink(missing_ok=True)
        write(cuprum.DataFrame(FRAME), name)
        assert link.is_symlink()
        assert_like(read(target), FRAME)
    nowhere = tmp_path / "nowhere"
    nowhere.symlink_to(tmp_path / "none" / "a")
    with pytest.raises(OSError):
        write(cuprum.DataFrame(FRAME), nowhere)


def test_files_of_other_hosts_are_refused(tmp_path):
    for call in (cuprum.read_csv, cuprum.DataFrame(FRAME).to_csv):
        with pytest.raises(ValueError, match="'elsewhere'"):
            call("file://elsewhere/tmp/a.csv")
    with pytest.raises(FileNotFoundError):
        cuprum.read_csv(f"file://{tmp_path}/none.csv")


@pytest.mark.parametrize("kind", WRITERS)
def test_opened_by_fsspec(kind, memory):
    import fsspec

    write, read, _ = WRITERS[kind]
    write(cuprum.DataFrame(FRAME), fsspec.open("memory://o", "wb"))
    assert_like(read(fsspec.open("memory://o", "rb")), FRAME)
    with memory.open("/o") as file:
        assert_like(read(file), FRAME)


def test_the_ending_of_an_address_tells_the_compression(memory):
    cuprum.DataFrame(FRAME).to_csv("memory://data.csv.gz", index=False)
    assert memory.cat("/data.csv.gz")[:2] == b"\x1f\x8b"
    assert_like(cuprum.read_csv("memory://data.csv.gz"), FRAME)


def test_messages_name_the_address_without_its_secrets(memory):
    memory.pipe("/bad.csv", b"a,b\n1,2\n1,2,3\n")
    with pytest.raises(ValueError, match=r"memory://bad\.csv"):
        cuprum.read_csv("memory://bad.csv")
    with pytest.raises(FileNotFoundError):
        cuprum.read_csv("memory://none.csv")
    from cuprum.io.addresses import without_secrets

    assert without_secrets("s3://key:secret@bucket/a.csv") == "s3://bucket/a.csv"
    assert without_secrets("https://u:p@host/a.csv?signature=x") == "https://host/a.csv"
    assert without_secrets("simplecache::https://u:p@host/a.csv?signature=x") == "https://host/a.csv"
    assert without_secrets("zip://a.csv::/tmp/b.zip") == "zip://a.csv"


class Refused(Exception):
    """As packages of HTTP have it."""

    def __init__(self, status, said):
        super().__init__(f"{status}, {said}")
        self.status = status


class Leaky(fsspec.AbstractFileSystem):
    """Files that cannot be had, whose errors tell everything; what is sent there is lost after some bytes."""

    protocol = "leaky"
    cachable = False
    error = None
    fails_at = 1
    stored = {"leaky": b"old"}

    def __init__(self, token=None, **options):
        super().__init__(**options)

    @classmethod
    def _strip_protocol(cls, path):
        return path

    def fails(self, *args, **options):
        raise self.error from self.error.__cause__

    info = cat_file = glob = fails

    def _open(self, path, mode="rb", **options):
        return Lost(self, path, mode, block_size=5)


class Lost(fsspec.spec.AbstractBufferedFile):
    def _initiate_upload(self):
        self.parts, self.sent = [], 0

    def _upload_chunk(self, final=False):
        self.sent += 1
        if self.sent == Leaky.fails_at:
            raise ConnectionResetError("lost")
        self.parts.append(self.buffer.getvalue())
        if final:
            Leaky.stored["leaky"] = b"".join(self.parts)
        return True

    def discard(self):
        self.parts = None


fsspec.register_implementation("leaky", Leaky, clobber=True)
SECRETS = "https://user:secret0@host/a.parquet?signature=secret1"


def caused(error, cause):
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (FileNotFoundError(SECRETS), FileNotFoundError),
        (caused(FileNotFoundError(SECRETS), Refused(404, SECRETS)), FileNotFoundError),
        (caused(FileNotFoundError(SECRETS), Refused(503, SECRETS)), OSError),
        (caused(FileNotFoundError(SECRETS), ConnectionRefusedError(SECRETS)), OSError),
        (Refused(403, SECRETS), PermissionError),
        (Refused(500, f"url='{SECRETS}', secret2"), OSError),
        (ValueError(SECRETS), ValueError),
        (PermissionError(SECRETS), PermissionError),
        (TimeoutError(f"no answer for secret2 of {SECRETS}"), OSError),
    ],
)
@pytest.mark.parametrize("read", [cuprum.read_csv, cuprum.read_parquet])
@pytest.mark.parametrize("name", ["a.parquet", "*.parquet"])
def test_errors_of_others_are_told_without_secrets(raised, kind, read, name, monkeypatch):
    if "*" in name and read is cuprum.read_csv:
        name = "a.csv"
    monkeypatch.setattr(Leaky, "error", raised)
    monkeypatch.setattr("cuprum.io.addresses.WAITS", [0])
    with pytest.raises(kind, match=r"leaky://host") as caught:
        read(f"leaky://user:secret0@host/{name}", storage_options={"token": "secret2"})
    assert type(caught.value) is kind
    assert "secret" not in repr(caught.value) + str(caught.value)
    # Nor does a traceback show what was raised before.
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("write", [write for write, _, _ in WRITERS.values()])
@pytest.mark.parametrize("at", [1, 2])
def test_a_connection_that_is_lost_leaves_the_old_file(write, at, monkeypatch):
    monkeypatch.setattr(Leaky, "fails_at", at)
    with pytest.raises(OSError, match="leaky://host/a: ConnectionResetError: lost"):
        write(cuprum.DataFrame(FRAME), "leaky://user:secret@host/a")
    with pytest.raises(OSError, match="lost"):
        write(cuprum.DataFrame(FRAME), fsspec.open("leaky://host/a", "wb"))
    gc.collect()
    assert Leaky.stored == {"leaky": b"old"}


def test_addresses_need_fsspec(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ImportError, match=r"`filepath_or_buffer` is 's3://b/a\.csv'.*fsspec"):
        cuprum.read_csv("s3://key:secret@b/a.csv")
    with pytest.raises(ImportError, match=r"`path` is 's3://b/a'.*fsspec"):
        cuprum.DataFrame(FRAME).to_parquet("s3://b/a")


@pytest.mark.parametrize("kind", WRITERS)
def test_storage_options_are_for_addresses(kind, tmp_path):
    write, read, _ = WRITERS[kind]
    path = tmp_path / "a"
    write(cuprum.DataFrame(FRAME), path)
    for source in (path, path.read_bytes(), io.BytesIO(path.read_bytes())):
        with pytest.raises(ValueError, match="storage_options"):
            read(source, storage_options={"anon": True})
    for target in (path, io.BytesIO(), None):
        with pytest.raises(ValueError, match="storage_options"):
            write(cuprum.DataFrame(FRAME), target, storage_options={"anon": True})


def test_several_parquet_files(tmp_path, memory):
    many = pd.concat([FRAME] * 3, ignore_index=True)
    paths = [tmp_path / f"{i}.parquet" for i in range(3)]
    for path in paths:
        FRAME.to_parquet(path)
        memory.pipe("/p/" + path.name, path.read_bytes())
    for source in (paths, [str(p) for p in paths], str(tmp_path / "?.parquet"), tmp_path / "*.parquet"):
        assert_like(cuprum.read_parquet(source), many)
    assert_like(cuprum.read_parquet("memory://p/*.parquet"), many)
    assert_like(
        cuprum.read_parquet([paths[0], paths[1].read_bytes(), io.BytesIO(paths[2].read_bytes())]), many
    )
    assert_like(cuprum.read_parquet(paths, nrows=4), many.head(4))
    assert_like(cuprum.read_parquet(paths, columns=["s"]), many[["s"]])
    assert_like(cuprum.read_parquet(paths[:2], row_groups=[[0], []]), FRAME)
    with pytest.raises(ValueError, match="row_groups"):
        cuprum.read_parquet(paths[:2], row_groups=[0])
    with pytest.raises(FileNotFoundError, match="`path`"):
        cuprum.read_parquet(tmp_path / "*.nothing")
    with pytest.raises(ValueError, match="`path` names no files"):
        cuprum.read_parquet([])


def test_labels_of_several_files(tmp_path):
    labelled = FRAME.set_index("a")
    for i in range(2):
        labelled.to_parquet(tmp_path / f"{i}.parquet")
    assert_like(cuprum.read_parquet(tmp_path / "*.parquet"), pd.concat([labelled] * 2))


def test_a_file_with_the_signs_of_a_pattern(tmp_path):
    FRAME.to_parquet(tmp_path / "a[1].parquet")
    assert_like(cuprum.read_parquet(tmp_path / "a[1].parquet"), FRAME)


class Few:
    """An open file without a buffer: a call reads or writes at most seven bytes."""

    def __init__(self, content=b""):
        self.content, self.at = content, 0

    def read(self, size=-1):
        self.at += 7
        return self.content[self.at - 7 : self.at]

    def write(self, part):
        self.content += part[:7]
        return len(part[:7])


class Unsized(Few):
    """The same, which has to be told how much to read."""

    def read(self, size):
        return super().read(size)


MADE = cuprum.DataFrame({"a": range(10), "s": [f"text {i}" for i in range(10)]})
FORMATS = {
    "csv": (lambda to: MADE.to_csv(to, index=False), cuprum.read_csv),
    "gzip": (lambda to: MADE.to_csv(to, index=False, compression="gzip"), partial(cuprum.read_csv, compression="gzip")),
    "utf-16": (lambda to: MADE.to_csv(to, index=False, encoding="utf-16"), partial(cuprum.read_csv, encoding="utf-16")),
    "json": (lambda to: MADE.to_json(to), cuprum.read_json),
    "lines": (lambda to: MADE.to_json(to, orient="records", lines=True), partial(cuprum.read_json, lines=True)),
    "parquet": (lambda to: MADE.to_parquet(to), cuprum.read_parquet),
    "orc": (lambda to: MADE.to_orc(to), cuprum.read_orc),
    "avro": (lambda to: MADE.to_avro(to), cuprum.read_avro),
    "feather": (lambda to: MADE.to_feather(to), cuprum.read_feather),
    "stream": (lambda to: MADE.to_feather(to, stream=True), cuprum.read_feather),
}  # fmt: skip


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("make", [Few, Unsized])
def test_files_that_return_and_take_fewer_than_asked(kind, make):
    write, read = FORMATS[kind]
    file = make()
    write(file)
    assert len(file.content) > 7
    assert_like(read(make(file.content)), MADE.to_pandas())


def test_texts_of_files_that_return_and_take_fewer_than_asked():
    file = Few("")
    MADE.to_csv(file, index=False)
    assert file.content == MADE.to_csv(index=False)
    assert_like(cuprum.read_csv(Few(file.content)), MADE.to_pandas())
    with cuprum.read_csv(Few(file.content), chunksize=3) as reader:
        assert_like(cuprum.concat(reader), MADE.to_pandas())
    file = Few("")
    MADE.to_string(file)
    assert file.content == MADE.to_string()
    text = "a  b\n" + "".join(f"{i}  {i * i}\n" for i in range(10))
    for source in (Few(text), Few(text.encode())):
        assert_like(cuprum.read_fwf(source, widths=[3, 3]), pd.read_fwf(io.StringIO(text), widths=[3, 3]))
    assert cuprum.read_text(Few(text.encode()), "\n").to_list() == text.splitlines(keepends=True)
    file = Few()
    with cuprum.io.parquet.ParquetWriter(file) as writer:
        writer.write_table(MADE)
    assert_like(cuprum.read_parquet(file.content), MADE.to_pandas())


def test_files_that_have_nothing_yet_and_take_nothing():
    class Waiting(io.RawIOBase):
        def read(self, size=-1):
            return None

        def write(self, part):
            return None

    for call in (cuprum.read_csv, MADE.to_csv, MADE.to_parquet):
        with pytest.raises(BlockingIOError, match="Waiting"):
            call(Waiting())

    class Silent(list):
        write = list.append

    MADE.to_parquet(file := Silent())
    assert_like(cuprum.read_parquet(b"".join(file)), MADE.to_pandas())


def test_pipes():
    for buffering in (0, -1):
        reading, writing = os.pipe()
        with open(writing, "wb", buffering) as file:
            MADE.to_feather(file)
        with open(reading, "rb", buffering) as file:
            assert_like(cuprum.read_feather(file), MADE.to_pandas())


def test_compressed_into_an_open_file():
    file = io.BytesIO()
    cuprum.DataFrame(FRAME).to_csv(file, index=False, compression="gzip")
    assert_like(cuprum.read_csv(file.getvalue(), compression="gzip"), FRAME)


@pytest.mark.parametrize("kind", ["parquet", "orc", "feather"])
def test_formats_with_an_end_are_read_whole(kind):
    """They say there where everything is, so that pandas reads them so, too."""
    df = cuprum.DataFrame({"a": [1, 2, 3]})
    file = io.BytesIO()
    getattr(df, f"to_{kind}")(file)
    for at in (file.tell(), 5, 0):
        file.seek(at)
        assert_like(getattr(cuprum, f"read_{kind}")(file), df.to_pandas())
        file.seek(at)
        if kind != "orc":
            assert getattr(pd, f"read_{kind}")(file).equals(df.to_pandas())
    if kind == "parquet":
        file.seek(7)
        assert cuprum.read_parquet_metadata(file)[:4] == (3, 1, ["a"], 1)
