"""Processes that are killed while they write, and writing where there is no room: the old file is there, or the new one.

``make kills`` kills a thousand.
"""

import contextlib
import os
import random
import resource
import signal
import stat
import threading
import time
import traceback

import pytest

import cuprum

KILLS = int(os.environ.get("CUPRUM_KILLS", "14"))

WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "json": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "orc": lambda frame, path: frame.to_orc(path),
    "avro": lambda frame, path: frame.to_avro(path),
    "feather": lambda frame, path: frame.to_feather(path),
}
# What Python puts together.
OTHERS = {
    "csv.zip": lambda frame, path: frame.to_csv(path, index=False),
    "more.csv": lambda frame, path: frame.to_csv(path, index=False, mode="a"),
    "columns.json": lambda frame, path: frame.to_json(path),
    "more.json": lambda frame, path: frame.to_json(path, orient="records", lines=True, mode="a"),
}


def frame(seed):
    rows = 20_000
    return cuprum.DataFrame(
        {"a": range(seed, seed + rows), "b": [f"text {i * seed % 977}" for i in range(rows)]}
    )


def in_a_process(work):
    """Begin work in a process of its own; the number of the process."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture(scope="module")
def frames():
    return frame(1), frame(7)


def whole_files(write, frames, folder, name):
    """What the file has of each of the frames."""
    contents = []
    for number, one in enumerate(frames):
        path = folder / f"{number}-{name}"
        assert ended(in_a_process(lambda one=one, path=path: write(one, path))) == 0
        contents.append(path.read_bytes())
        path.unlink()
    return contents


def check(folder, name, contents):
    """The file is one of both, and no half-written one is left beside it; how many whole ones are.

    One that replaces another has a name of its own while it is renamed: the system cannot do both at once.
    """
    assert (folder / name).read_bytes() in contents
    others = [other for other in folder.iterdir() if other.name != name]
    for other in others:
        assert other.name.startswith(".cuprum-"), other.name
        assert other.read_bytes() in contents, f"{other.name} was left"
        other.unlink()
    return len(others)


# Processes are forked, and what threads do is no part of them.
@pytest.mark.host
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_kills(tmp_path, frames):
    chance = random.Random(20)
    contents = {}
    found = {name: [0, 0] for name in WRITERS}
    left = dict.fromkeys(WRITERS, 0)
    for number in range(KILLS):
        name = list(WRITERS)[number % len(WRITERS)]
        write, file = WRITERS[name], f"t.{name}"
        if name not in contents:
            contents[name] = whole_files(write, frames, tmp_path, file)
        path = tmp_path / file
        path.write_bytes(contents[name][0])
        begun, tell = os.pipe()

        def work(write=write, path=path, tell=tell):
            os.write(tell, b".")
            while True:
                write(frames[1], path)
                write(frames[0], path)

        child = in_a_process(work)
        os.close(tell)
        os.read(begun, 1)
        os.close(begun)
        time.sleep(chance.random() * 0.06)
        os.kill(child, signal.SIGKILL)
        assert ended(child) == -signal.SIGKILL
        left[name] += check(tmp_path, file, contents[name])
        found[name][path.read_bytes() == contents[name][1]] += 1
        path.unlink()
    print(f"{KILLS} kills; old and new files: {found}; whole files left beside them: {left}")


@pytest.mark.host
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("name", [*WRITERS, *OTHERS])
def test_no_room(tmp_path, frames, name):
    write = (WRITERS | OTHERS)[name]
    path = tmp_path / f"t.{name}"
    path.write_bytes(b"old")

    def work():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with contextlib.suppress(OSError):
            write(frames[0], path)
            raise AssertionError("there was room")

    assert ended(in_a_process(work)) == 0
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.host
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_no_room_for_a_new_file(tmp_path, frames):
    path = tmp_path / "a.csv"

    def work():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with contextlib.suppress(OSError):
            frames[0].to_csv(path, mode="x")
            raise AssertionError("there was room")

    assert ended(in_a_process(work)) == 0
    assert not path.exists()


def whole_set(frame, root):
    frame.to_parquet(root, partition_cols="k", partition_file_name="f", index=False)


def set_by_parts(frame, root):
    with cuprum.io.parquet.ParquetDatasetWriter(root, ["k"], index=False, file_name_prefix="f") as writer:
        writer.write_table(frame.iloc[:10_010])
        writer.write_table(frame.iloc[10_010:])


def with_keys(frame):
    """The frame with a key that few rows have, and others that many have."""
    return frame.assign(k=[min(1 + row // 10, 1 + row // 5_000 * 10) for row in range(len(frame))])


def files_below(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.host
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("write", [whole_set, set_by_parts])
@pytest.mark.parametrize("is_there", [False, True])
def test_no_room_for_a_data_set(tmp_path, frames, write, is_there):
    root, more = tmp_path / "t", with_keys(frames[0])
    if is_there:
        write(with_keys(frames[1]).iloc[:9], root)
    before = files_below(tmp_path)

    def work():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with contextlib.suppress(OSError):
            write(more, root)
            raise AssertionError("there was room")

    assert ended(in_a_process(work)) == 0
    assert files_below(tmp_path) == before
    assert len(list(tmp_path.rglob("*"))) == (3 if is_there else 0)


@pytest.mark.host
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("write", [whole_set, set_by_parts])
def test_kills_while_data_sets_are_written(tmp_path, frames, write):
    """Each file is one of both, whole, and others have hidden names that readers pass over."""
    chance = random.Random(21)
    both = [with_keys(frame) for frame in frames]
    contents = []
    for number, frame in enumerate(both):
        root = tmp_path / str(number)
        write(frame, root)
        contents.append(files_below(root))
    assert contents[0].keys() == contents[1].keys()
    root = tmp_path / "0"
    for _ in range(max(2, KILLS // 4)):

        def work():
            while True:
                write(both[1], root)
                write(both[0], root)

        child = in_a_process(work)
        time.sleep(0.02 + chance.random() * 0.1)
        os.kill(child, signal.SIGKILL)
        assert ended(child) == -signal.SIGKILL
        found = files_below(root)
        assert {name for name in found if "/." not in name} == contents[0].keys()
        for name, content in found.items():
            if "/." in name:
                (root / name).unlink()
            else:
                assert content in (contents[0][name], contents[1][name]), name


@pytest.mark.parametrize("name", ["json", "csv.zip", "columns.json", "more.csv", "more.json"])
def test_what_is_no_file_stays_what_it_is(tmp_path, name):
    """A pipe gets the bytes; it is not replaced."""
    write = (WRITERS | OTHERS)[name]
    small = cuprum.DataFrame({"a": [1, 2]})
    pipe, plain = tmp_path / f"pipe.{name}", tmp_path / f"plain.{name}"
    write(small, plain)
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(small, pipe)
    reader.join(5)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert got[0][-4:] == plain.read_bytes()[-4:]
