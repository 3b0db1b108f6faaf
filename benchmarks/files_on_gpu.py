"""Parquet read to a GPU, beside decoding it on the host alone and copying the frame alone.

    python benchmarks/files_on_gpu.py [--rows 10e6] [--device cuda] [--repeat 5]

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
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        cuprum.set_option("device", "cpu")
        frame = frame_of(int(chosen.rows))
        frame.to_parquet(path)
        size = sum(frame.memory_usage(index=False))
        decode = least(chosen.repeat, chosen.device, lambda: cuprum.read_parquet(path))
        there = frame.to_device(chosen.device)
        copy = least(chosen.repeat, chosen.device, lambda: frame.to_device(chosen.device))
        back = least(chosen.repeat, chosen.device, there.to_host)
        cuprum.set_option("device", chosen.device)
        read = least(chosen.repeat, chosen.device, lambda: cuprum.read_parquet(path))
    print(f"{size / 1e6:.0f} MB on {chosen.device}: decoded in {1000 * decode:.1f} ms,")
    print(f"copied there in {1000 * copy:.1f} ({size / copy / 1e9:.1f} GB/s), back in {1000 * back:.1f}")
    print(
        f"({size / back / 1e9:.1f} GB/s), read there in {1000 * read:.1f}: {read / max(decode, copy):.2f} of the slower"
    )


if __name__ == "__main__":
    main()
