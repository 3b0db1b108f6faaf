"""Delimited texts of other dialects than the plain one: `read_csv` of Cuprum and pandas in turns, in one process.

    python benchmarks/delimited.py [--rows 100000] [--repeat 3] [--only TEXT]

Each text has `--rows` rows of an integer, a float, a word and a time, written as its dialect has it, in memory. Each
figure is the least time in milliseconds; dialects stand by their ratio (ours ÷ pandas'), the slowest first.
"""

from __future__ import annotations

import argparse
import io
import warnings

import numpy as np
import pandas as pd
from turns import best

import cuprum


def texts(rows: int) -> dict[str, str]:
    """Return a text for each way to write the rows."""
    rng = np.random.default_rng(18)
    words = rng.choice(["alpha", "beta", "gamma"], rows)
    lines = [
        f"{i},{x:.6f},{word},2024-01-{1 + i % 28:02d} 12:00:00"
        for i, (x, word) in enumerate(zip(rng.standard_normal(rows), words, strict=True))
    ]
    head = "i,x,word,time"
    return {
        "plain": "\n".join([head, *lines]),
        "blanks": "\n".join([head, *lines]).replace(" ", "T").replace(",", "   "),
        "initial": "\n".join([head, *lines]).replace(",", ", "),
        "quoted": "\n".join([head, *lines]).replace("beta", '"be, ""ta"""'),
        "escaped": "\n".join([head, *lines]).replace("beta", "be\\,ta"),
        "bad": "\n".join([head, *(f"{line},5" if i % 1000 == 999 else line for i, line in enumerate(lines))]),
        "semicolons": ";".join([head, *lines]),
    }


def readings(rows: int) -> dict[str, tuple[str, dict[str, object]]]:
    """Return the texts and the arguments that read them, by what they show."""
    skipped = list(range(1, rows, 10))
    return {
        "the plain dialect": ("plain", {}),
        r'sep=r"\s+"': ("blanks", {"sep": r"\s+"}),
        "skipinitialspace": ("initial", {"skipinitialspace": True}),
        "skipinitialspace, quotes": ("quoted", {"skipinitialspace": True}),
        "escapechar": ("escaped", {"escapechar": "\\"}),
        "doublequote=False": ("escaped", {"escapechar": "\\", "doublequote": False}),
        'on_bad_lines="skip"': ("bad", {"on_bad_lines": "skip"}),
        'on_bad_lines="skip", none bad': ("plain", {"on_bad_lines": "skip"}),
        "skiprows, a list": ("plain", {"skiprows": skipped}),
        "skiprows, a function": ("plain", {"skiprows": lambda line: line % 10 == 9}),
        "quoting=QUOTE_NONE": ("plain", {"quoting": 3}),
        "lineterminator": ("semicolons", {"lineterminator": ";"}),
        "comment": ("plain", {"comment": "#"}),
        "converters, a function": ("plain", {"converters": {"word": str.upper}}),
        "converters, of numbers": ("plain", {"converters": {"i": int}}),
        "parse_dates": ("plain", {"parse_dates": ["time"]}),
        "chunksize=1000": ("plain", {"chunksize": 1000}),
        "chunksize=100000": ("plain", {"chunksize": 100_000}),
        "nrows=10": ("plain", {"nrows": 10}),
        r'nrows=10, sep=r"\s+"': ("blanks", {"nrows": 10, "sep": r"\s+"}),
    }


def read(lib, content: bytes, options: dict[str, object]) -> object:
    """Read a text, piece by piece if it is asked for."""
    made = lib.read_csv(io.BytesIO(content), **options)
    return list(made) if "chunksize" in options else made


def main() -> None:
    """Print times and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=float, default=1e5)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", help="what the name has to contain")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = int(arguments.rows)
    contents = {name: text.encode() for name, text in texts(rows).items()}
    found = []
    for name, (text, options) in readings(rows).items():
        if arguments.only and arguments.only not in name:
            continue
        content = contents[text]
        runs = {
            library: lambda lib=lib, content=content, options=options: read(lib, content, options)
            for library, lib in (("ours", cuprum), ("pandas", pd))
        }
        times = best(runs, arguments.repeat)
        found.append((times["ours"] / times["pandas"], name, times))
    print("| ours, ms | pandas, ms | ratio | reading |\n|---:|---:|---:|---|")
    for ratio, name, times in sorted(found, reverse=True):
        print(f"| {times['ours'] * 1e3:.2f} | {times['pandas'] * 1e3:.2f} | {ratio:.2f} | `{name}` |")


if __name__ == "__main__":
    main()
