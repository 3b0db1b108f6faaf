"""Common calls on frames of few rows: Cuprum, pandas and Polars in turns, in one process.

    python benchmarks/small.py [--rows 10 100] [--repeat 7]

Each figure is the least time of a call among the repeats. The table has Cuprum's in microseconds and its ratios to the
others': less than 1 is faster. Where Polars has no row labels, its nearest call stands beside ours.
"""

from __future__ import annotations

import argparse
import timeit

import pandas as pd
import polars as pl

import cuprum


def calls(rows: int):
    """Return calls by name: one of Cuprum, pandas and Polars each."""
    data = {
        "a": list(range(rows)),
        "b": [float(-i) for i in range(rows)],
        "k": [("x", "y", "z")[i % 3] for i in range(rows)],
    }
    ours, theirs, polars = cuprum.DataFrame(data), pd.DataFrame(data), pl.DataFrame(data)
    numbers, their_numbers, polars_numbers = (frame[["a", "b"]] for frame in (ours, theirs, polars))

    a, their_a, polars_a = (frame["a"] for frame in (ours, theirs, polars))
    k, their_k, polars_k = (frame["k"] for frame in (ours, theirs, polars))

    def both(call, other):
        return lambda: call(ours), lambda: call(theirs), lambda: other(polars)

    def of_a(call, other):
        return lambda: call(a), lambda: call(their_a), lambda: other(polars_a)

    return {
        "construction from a dict of lists": (
            lambda: cuprum.DataFrame(data),
            lambda: pd.DataFrame(data),
            lambda: pl.DataFrame(data),
        ),
        '`df["a"]`': both(lambda df: df["a"], lambda df: df["a"]),
        '`df["a"] + 1`': both(lambda df: df["a"] + 1, lambda df: df["a"] + 1),
        '`df["a"].sum()`': both(lambda df: df["a"].sum(), lambda df: df["a"].sum()),
        "`df.sum()`, two columns": (numbers.sum, their_numbers.sum, polars_numbers.sum),
        "`df[df.a > 1]`": both(lambda df: df[df.a > 1], lambda df: df.filter(df["a"] > 1)),
        "`df.loc[df.a > 1]`": both(lambda df: df.loc[df.a > 1], lambda df: df.filter(df["a"] > 1)),
        "`df.loc[3]`": both(lambda df: df.loc[3], lambda df: df.row(3)),
        "`df.iloc[3]`": both(lambda df: df.iloc[3], lambda df: df.row(3)),
        "`df.iloc[3]`, two columns": (
            lambda: numbers.iloc[3],
            lambda: their_numbers.iloc[3],
            lambda: polars_numbers.row(3),
        ),
        '`df["a"].iloc[3]`': both(lambda df: df["a"].iloc[3], lambda df: df["a"][3]),
        "`df.head()`": both(lambda df: df.head(), lambda df: df.head()),
        '`df.assign(c=df["a"])`': both(
            lambda df: df.assign(c=df["a"]), lambda df: df.with_columns(df["a"].alias("c"))
        ),
        '`df.groupby("k").sum()`': both(
            lambda df: df.groupby("k").sum(), lambda df: df.group_by("k", maintain_order=True).sum()
        ),
        '`df.merge(df, on="a")`': both(lambda df: df.merge(df, on="a"), lambda df: df.join(df, on="a")),
        '`df.sort_values("b")`': both(lambda df: df.sort_values("b"), lambda df: df.sort("b")),
        "`repr(df)`": both(repr, repr),
        "`df.loc[3]`, a frame of one row in Polars": both(lambda df: df.loc[3], lambda df: df[3]),
        "`df.iloc[3]`, a frame of one row in Polars": both(lambda df: df.iloc[3], lambda df: df[3]),
        "`df.iloc[3]`, two columns, a frame of one row in Polars": (
            lambda: numbers.iloc[3],
            lambda: their_numbers.iloc[3],
            lambda: polars_numbers[3],
        ),
        '`df.at[3, "a"]`': both(lambda df: df.at[3, "a"], lambda df: df[3, "a"]),
        '`df["a"] = s`': (
            lambda: ours.__setitem__("a", a),
            lambda: theirs.__setitem__("a", their_a),
            lambda: polars.with_columns(polars_a),
        ),
        "`len(df)`": both(len, len),
        "`df.columns`": both(lambda df: df.columns, lambda df: df.columns),
        "`df.dtypes`": both(lambda df: df.dtypes, lambda df: df.dtypes),
        '`df.drop(columns="a")`': both(lambda df: df.drop(columns="a"), lambda df: df.drop("a")),
        '`df.rename(columns={"a": "c"})`': both(
            lambda df: df.rename(columns={"a": "c"}), lambda df: df.rename({"a": "c"})
        ),
        "`concat` of two frames": (
            lambda: cuprum.concat([ours, ours]),
            lambda: pd.concat([theirs, theirs]),
            lambda: pl.concat([polars, polars]),
        ),
        "`list(df.iterrows())`": both(lambda df: list(df.iterrows()), lambda df: list(df.iter_rows())),
        "`list(df.itertuples())`": both(lambda df: list(df.itertuples()), lambda df: list(df.iter_rows())),
        "`s[3]`": of_a(lambda s: s[3], lambda s: s[3]),
        "`s.mean()`": of_a(lambda s: s.mean(), lambda s: s.mean()),
        "`s.max()`": of_a(lambda s: s.max(), lambda s: s.max()),
        "`s.tolist()`": of_a(lambda s: s.tolist(), lambda s: s.to_list()),
        "`s.to_numpy()`": of_a(lambda s: s.to_numpy(), lambda s: s.to_numpy()),
        "`s.value_counts()`": of_a(lambda s: s.value_counts(), lambda s: s.value_counts(sort=True)),
        "`s.isin([1, 2])`": of_a(lambda s: s.isin([1, 2]), lambda s: s.is_in([1, 2])),
        "`s.fillna(0)`": of_a(lambda s: s.fillna(0), lambda s: s.fill_null(0)),
        "`s.str.upper()`": (
            lambda: k.str.upper(),
            lambda: their_k.str.upper(),
            lambda: polars_k.str.to_uppercase(),
        ),
    }


def best(functions, repeat: int) -> list[float]:
    """Return the least microseconds of a call of each, which take turns."""
    timers = [timeit.Timer(function) for function in functions]
    numbers = []
    for timer in timers:
        timer.timeit(3)
        numbers.append(max(3, int(0.01 / max(timer.timeit(3) / 3, 1e-7))))
    least = [float("inf")] * len(timers)
    for _ in range(repeat):
        for i, (timer, number) in enumerate(zip(timers, numbers, strict=True)):
            least[i] = min(least[i], timer.timeit(number) / number * 1e6)
    return least


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--repeat", type=int, default=7)
    chosen = parser.parse_args()
    sizes = [{name: best(call, chosen.repeat) for name, call in calls(rows).items()} for rows in chosen.rows]
    print("| call |" + "".join(f" {rows} rows, µs | ÷ pandas | ÷ Polars |" for rows in chosen.rows))
    print(f"|{'---|' * (1 + 3 * len(sizes))}")
    for name in sizes[0]:
        cells = ""
        for times in sizes:
            ours, theirs, polars = times[name]
            cells += f" {ours:.1f} | {ours / theirs:.2f} | {ours / polars:.2f} |"
        print(f"| {name} |{cells}")


if __name__ == "__main__":
    main()
