"""Files that are elsewhere: only the bytes that are needed are fetched, and a connection that is cut is an error."""

import gzip
import http.server
import importlib.util
import io
import threading
import urllib.error
import urllib.request

import fsspec
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import cuprum

ROWS = 200_000


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the files of the server, whole or ranges of them, and counts the bytes that are sent."""

    def log_message(self, *args):
        pass

    def do_HEAD(self):
        self.answer(head=True)

    def do_GET(self):
        self.answer(head=False)

    def answer(self, *, head):
        content = self.server.files.get(self.path)
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        if self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/moved"))
            self.end_headers()
            return
        if head and self.path.startswith("/signed"):
            self.send_error(403)
            return
        if content is None:
            self.send_error(404)
            return
        if self.server.failures > 0 and not head:
            self.server.failures -= 1
            self.send_error(503)
            return
        part, asked = content, self.headers.get("Range")
        if asked is not None and not head and self.server.has_ranges:
            start, _, last = asked.removeprefix("bytes=").partition("-")
            part = content[int(start) : int(last) + 1]
            self.send_response(206)
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(part)))
        if self.path.startswith("/packed"):
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if head:
            return
        if self.server.cut_after is not None and self.server.sent + len(part) > self.server.cut_after:
            part = part[: len(part) // 2]
            self.close_connection = True
        self.server.sent += len(part)
        self.server.requests += 1
        self.wfile.write(part)


class Ranged(fsspec.AbstractFileSystem):
    """What fsspec's own HTTP does, which needs a package that is not here."""

    protocol = "ranged"
    cachable = False

    def url(self, path):
        return "http://" + self._strip_protocol(path)

    def info(self, path, **kwargs):
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url(path), method="HEAD")) as answer:
                return {"name": path, "size": int(answer.headers["Content-Length"]), "type": "file"}
        except urllib.error.HTTPError as e:
            raise FileNotFoundError(path) from e

    def cat_file(self, path, start=None, end=None, **kwargs):
        headers = {} if start is None else {"Range": f"bytes={start}-{end - 1}"}
        with urllib.request.urlopen(urllib.request.Request(self.url(path), headers=headers)) as answer:
            return answer.read()

    def _open(self, path, mode="rb", **kwargs):
        return io.BytesIO(self.cat_file(path))


fsspec.register_implementation("ranged", Ranged, clobber=True)


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.asked, server.sent, server.requests = {}, [], 0, 0
    server.has_ranges, server.cut_after, server.failures = True, None, 0
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def served(server, name, content):
    server.files[f"/{name}"] = content
    return f"ranged://127.0.0.1:{server.server_address[1]}/{name}"


@pytest.fixture(scope="module")
def frame():
    draw = np.random.default_rng(3)
    wide = {f"c{i}": draw.random(ROWS) for i in range(8)}
    return pd.DataFrame({"key": np.arange(ROWS), "text": [f"é{i % 1000}" for i in range(ROWS)], **wide})


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file, row_group_size=20_000, index=False)
    return file.getvalue()


def orc(frame):
    return cuprum.from_pandas(frame).to_orc(stripe_size_rows=20_000)


@pytest.mark.parametrize(("write", "read"), [(parquet, cuprum.read_parquet), (orc, cuprum.read_orc)])
def test_what_is_not_needed_is_not_fetched(server, frame, write, read):
    content = write(frame)
    address = served(server, "a", content)
    pd.testing.assert_frame_equal(read(address).to_pandas(), frame, check_dtype=False)
    assert len(content) * 0.9 < server.sent < len(content) * 1.2
    server.sent = 0
    got = read(address, columns=["c3", "key"]).to_pandas()
    pd.testing.assert_frame_equal(got, frame[["c3", "key"]])
    assert server.sent < len(content) * 0.45
    server.sent = 0
    got = read(address, filters=[("key", ">=", 100_000), ("key", "<", 100_100)]).to_pandas()
    expected = frame.iloc[100_000:100_100].reset_index(drop=True)
    pd.testing.assert_frame_equal(got.reset_index(drop=True), expected, check_dtype=False)
    assert server.sent < len(content) * 0.25


def test_the_footer_alone(server, frame):
    content = parquet(frame)
    address = served(server, "a.parquet", content)
    assert cuprum.read_parquet_metadata(address)[0] == pq.ParquetFile(io.BytesIO(content)).metadata.num_rows
    assert server.sent <= 64 << 10  # the end of it, in one request
    assert server.requests == 1


def test_small_and_several_files(server, frame):
    addresses = [
        served(server, f"{part}.parquet", parquet(frame[part * 100 : part * 100 + 100])) for part in range(3)
    ]
    got = cuprum.read_parquet(addresses, columns=["text"])
    assert got["text"].to_arrow().to_pylist() == frame["text"].tolist()[:300]


@pytest.mark.parametrize(("write", "read"), [(parquet, cuprum.read_parquet), (orc, cuprum.read_orc)])
def test_servers_without_ranges_send_all(server, frame, write, read):
    server.has_ranges = False
    small = frame.head(1000)
    address = served(server, "a", write(small))
    pd.testing.assert_frame_equal(read(address).to_pandas(), small, check_dtype=False)


@pytest.mark.parametrize(("write", "read"), [(parquet, cuprum.read_parquet), (orc, cuprum.read_orc)])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_a_connection_that_is_cut(server, frame, write, read, share, monkeypatch):
    monkeypatch.setattr("cuprum.io.addresses.WAITS", [0, 0])
    content = write(frame)
    address = served(server, "cut-off", content)
    server.cut_after = int(len(content) * share)
    with pytest.raises(OSError, match="cut-off"):
        read(address)


@pytest.mark.parametrize("read", [cuprum.read_parquet, lambda a: cuprum.read_feather(a)])
def test_what_fails_is_tried_again(server, frame, read, monkeypatch):
    waited = []
    monkeypatch.setattr("cuprum.io.addresses.time.sleep", waited.append)
    small = frame.head(100)
    file = io.BytesIO()
    (small.to_parquet if read is cuprum.read_parquet else small.to_feather)(file)
    address = served(server, "a", file.getvalue())
    server.failures = 3
    pd.testing.assert_frame_equal(read(address).to_pandas(), small, check_dtype=False)
    assert waited == [0.1, 0.4, 1.6]
    server.failures = 4
    with pytest.raises(OSError, match=f"{address}.*503"):
        read(address)
    waited.clear()
    with pytest.raises(FileNotFoundError):
        read(address + ".not")
    assert waited == []


def test_no_such_file_and_no_parquet(server):
    address = served(server, "a.parquet", b"PAR1 and no more than that")
    with pytest.raises(ValueError, match=r"a\.parquet"):
        cuprum.read_parquet(address)
    with pytest.raises(ValueError, match="empty"):
        cuprum.read_parquet(served(server, "empty", b""))
    with pytest.raises(FileNotFoundError):
        cuprum.read_parquet(address + ".not")


@pytest.fixture
def without_aiohttp(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "aiohttp" else found(name))


def on_the_web(server, name, content):
    return served(server, name, content).replace("ranged://", "http://")


def test_the_web_needs_no_package(server, without_aiohttp, frame):
    small = frame.head(1000)
    address = on_the_web(server, "größe a.csv", small.to_csv(index=False).encode())
    server.files = {"/gr%C3%B6%C3%9Fe%20a.csv": next(iter(server.files.values()))}
    pd.testing.assert_frame_equal(cuprum.read_csv(address).to_pandas(), small)
    content = parquet(frame)
    address = on_the_web(server, "a.parquet", content)
    server.sent = 0
    got = cuprum.read_parquet(address, columns=["c3", "key"]).to_pandas()
    pd.testing.assert_frame_equal(got, frame[["c3", "key"]])
    assert server.sent < len(content) * 0.45
    lines = on_the_web(server, "a.json", b'{"a": 1}\n{"a": 2}\n')
    assert cuprum.read_json(lines, lines=True)["a"].to_list() == [1, 2]


def test_what_the_web_is_asked(server, without_aiohttp, monkeypatch):
    monkeypatch.setattr("cuprum.io.addresses.WAITS", [])
    content = b"a,b\n1,2\n"
    address = on_the_web(server, "a.csv", content)
    cuprum.read_csv(address, storage_options={"X-Token": "t", "User-Agent": "me"})
    assert server.asked[-1][2]["X-Token"] == "t"
    assert server.asked[-1][2]["User-Agent"] == "me"
    # Passwords go to their own host alone.
    host = f"127.0.0.1:{server.server_address[1]}"
    cuprum.read_csv(f"http://who:p%40ss@{host}/moved/a.csv")
    (_, first, sent), (_, second, later) = server.asked[-2:]
    assert (first, second) == ("/moved/a.csv", "/a.csv")
    assert sent["Authorization"] == "Basic d2hvOnBAc3M="
    assert "Authorization" not in later
    with pytest.raises(FileNotFoundError) as error:
        cuprum.read_csv(f"http://who:secret0@{host}/not.csv?signature=secret1")
    assert "not.csv" in str(error.value)
    assert "secret" not in str(error.value)


def test_the_web_of_servers_that_do_not_tell_lengths(server, without_aiohttp, frame):
    small = frame.head(100)
    address = on_the_web(server, "signed.parquet", parquet(small))
    pd.testing.assert_frame_equal(cuprum.read_parquet(address).to_pandas(), small, check_dtype=False)


def test_the_web_of_servers_that_pack(server, without_aiohttp, frame):
    small = frame.head(100)
    packed = gzip.compress(small.to_csv(index=False).encode())
    for name in ("packed.csv", "packed.csv.gz"):
        got = cuprum.read_csv(on_the_web(server, name, packed))
        pd.testing.assert_frame_equal(got.to_pandas(), small)
    address = on_the_web(server, "packed.parquet", gzip.compress(parquet(small)))
    pd.testing.assert_frame_equal(cuprum.read_parquet(address).to_pandas(), small, check_dtype=False)


def test_what_the_web_cannot_do(server, without_aiohttp, monkeypatch):
    monkeypatch.setattr("cuprum.io.addresses.WAITS", [])
    address = on_the_web(server, "a.csv", b"a\n1\n")
    with pytest.raises(NotImplementedError, match="nothing is written"):
        cuprum.DataFrame({"a": [1]}).to_csv(address)
    with pytest.raises(NotImplementedError, match="patterns"):
        cuprum.read_parquet(address.replace("a.csv", "*.parquet"))
    server.cut_after = 0
    with pytest.raises(OSError, match=r"a\.csv: IncompleteRead"):
        cuprum.read_csv(address)


def test_headers_reach_fsspec(monkeypatch):
    found = {}

    def url_to_fs(address, **options):
        found.update(options)
        return fsspec.filesystem("memory"), "/none"

    monkeypatch.setattr("importlib.util.find_spec", lambda name: True)  # as if aiohttp were here
    monkeypatch.setattr("fsspec.core.url_to_fs", url_to_fs)
    with pytest.raises(FileNotFoundError):
        cuprum.read_csv("https://host/a.csv", storage_options={"Token": "t", "cache_type": "none"})
    assert found == {"headers": {"Token": "t"}, "cache_type": "none"}
    with pytest.raises(FileNotFoundError):
        cuprum.read_csv("https://host/a.csv", storage_options={"client_kwargs": {}})
    assert found["client_kwargs"] == {}
