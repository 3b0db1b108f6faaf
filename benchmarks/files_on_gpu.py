"""Files read to a GPU, beside decoding them on the host alone and copying the frame alone.

    python benchmarks/files_on_gpu.py [--rows 10e6] [--device cuda] [--repeat 5] [--formats parquet feather …]

The read should take little more than the slower of the two: columns are copied while others are decoded. The least of
several runs of each; the file is in memory before.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuprum
from cuprum import rmm


def frame_of(rows: int) -> Any:
    import numpy as np

    chance = np.random.default_rng(0)
    columns = {f"i{i}": chance.integers(0, 10 ** (3 * i + 2), rows) for i in range(4)}
    columns |= {f"f{i}": chance.normal(size=rows) for i in range(4)}
    return cuprum.DataFrame(columns)


def least(repeat: int, device: str, work: Callable[[], Any]) -> float:
    """Return the least seconds that something takes until the GPU is done with it."""
    found = math.inf
    for _ in range(repeat):
        start = time.perf_counter()
        made = work()
        rmm.current_stream(device).synchronize()
        found = min(found, time.perf_counter() - start)
        del made
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=float, default=10e6)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--repeat", type=int, default=5)
    formats = ["parquet", "feather", "avro", "orc", "csv"]
    parser.add_argument("--formats", nargs="+", choices=formats, default=["parquet"])
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cuprum.set_option("device", "cpu")
        frame = frame_of(int(chosen.rows))
        size = sum(frame.memory_usage(index=False))
        there = frame.to_device(chosen.device)
        copy = least(chosen.repeat, chosen.device, lambda: frame.to_device(chosen.device))
        back = least(chosen.repeat, chosen.device, there.to_host)
        del there
        print(f"{size / 1e6:.0f} MB on {chosen.device}: copied there in {1000 * copy:.1f} ms")
        print(f"({size / copy / 1e9:.1f} GB/s), back in {1000 * back:.1f} ({size / back / 1e9:.1f} GB/s)")
        for name in chosen.formats:
            path = Path(folder) / f"rows.{name}"
            cuprum.set_option("device", "cpu")
            getattr(frame, f"to_{name}")(path, **({"index": False} if name == "csv" else {}))
            reader = getattr(cuprum, f"read_{name}")
            decode = least(chosen.repeat, chosen.device, lambda reader=reader, path=path: reader(path))
            cuprum.set_option("device", chosen.device)
            read = least(chosen.repeat, chosen.device, lambda reader=reader, path=path: reader(path))
            print(
                f"{name}: decoded in {1000 * decode:.1f} ms, read there in {1000 * read:.1f}: "
                f"{read / max(decode, copy):.2f} of the slower",
                flush=True,
            )
            path.unlink()


if __name__ == "__main__":
    main()
