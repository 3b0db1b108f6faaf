"""S3 as `s3fs` speaks it with a server of `moto` on this machine, and HTTP as fsspec does; where they are installed."""

import numpy as np
import pandas as pd
import pytest

import cuprum

s3fs = pytest.importorskip("s3fs")
moto = pytest.importorskip("moto.server")


@pytest.fixture(scope="module")
def frame():
    return pd.DataFrame({"a": np.arange(1000), "k": ["x", "y"] * 500})


@pytest.fixture(scope="module")
def bucket():
    server = moto.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "someone")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "unspeakable")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.get_host_and_port()[1]}")
        s3fs.S3FileSystem.clear_instance_cache()
        s3fs.S3FileSystem().mkdir("bucket")
        yield "s3://bucket"
        s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


@pytest.mark.parametrize("kind", ["parquet", "orc", "feather", "avro", "csv", "csv.gz", "json"])
def test_every_format(bucket, frame, kind):
    name = kind.partition(".")[0]
    options = {"csv": {"index": False}, "json": {"orient": "records", "lines": True}}.get(name, {})
    address = f"{bucket}/one.{kind}"
    assert getattr(cuprum.DataFrame(frame), f"to_{name}")(address, **options) is None
    options.pop("index", None)
    got = getattr(cuprum, f"read_{name}")(address, **options).to_pandas()
    pd.testing.assert_frame_equal(got, frame, check_dtype=False)


def test_directories_and_patterns(bucket, frame):
    cuprum.DataFrame(frame).to_parquet(f"{bucket}/ours", partition_cols=["k"])
    frame.to_parquet(f"{bucket}/theirs", partition_cols=["k"])
    s3fs.S3FileSystem.clear_instance_cache()
    expected = pd.read_parquet(f"{bucket}/theirs")
    for address in ("ours", "theirs", "theirs/", "ours/*/*.parquet"):
        pd.testing.assert_frame_equal(cuprum.read_parquet(f"{bucket}/{address}").to_pandas(), expected)
    pd.testing.assert_frame_equal(pd.read_parquet(f"{bucket}/ours"), expected)


def test_what_is_not_there_and_who_is_not_let_in(bucket):
    with pytest.raises(FileNotFoundError, match="s3://bucket/none"):
        cuprum.read_csv(f"{bucket}/none.csv")
    with pytest.raises(FileNotFoundError, match="s3://nowhere/none"):
        cuprum.read_parquet("s3://nowhere/none.parquet")
    for read in (cuprum.read_csv, cuprum.read_parquet):
        with pytest.raises(OSError, match="s3://bucket/a") as caught:
            read("s3://someone:unspeakable@bucket/a")
        assert "unspeakable" not in repr(caught.value)
