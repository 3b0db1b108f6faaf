"""Chosen rows of groups: `head`, `tail`, `nth` and kin."""

import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, frames, given
from small_frames import SOME_MISSING


@given(
    frames(k="str?", l="int", f="float?", max_rows=12),
    st.sampled_from(["", ", sort=False", ", dropna=False"]),
)
def test_some_rows_of_each_group(f, options):
    groups = f"df.groupby('k'{options})"
    for n in (0, 1, 2, 50, -1, -2):
        agree(f"{groups}.head({n})", df=f)
        agree(f"{groups}.tail({n})", df=f)
        agree(f"{groups}['f'].head({n})", df=f)
    for n in (0, 1, 7, -1, -2):
        agree(f"{groups}.nth({n})", df=f)
        agree(f"{groups}['f'].nth({n})", df=f)
    agree(f"{{k: list(v) for k, v in {groups}.indices.items() if k == k}}", df=f)
    agree(f"[part for key, part in {groups}]", df=f)


def test_rows_of_many_groups():
    rows = 100_000
    df = pd.DataFrame(
        {"k": [i * 7919 % 30_011 for i in range(rows)], "v": [i % 1009 / 4 for i in range(rows)]}
    )
    for how in ("cumsum()", "shift()", "rank()", "head(2)", "nth(-1)", "cumcount()", "ffill()"):
        agree(f"df.groupby('k').{how}", df=df, rtol=1e-9)


@pytest.mark.parametrize("rows", ["(0)", "(-1)", "[0]", "[1:]", "[:-1]", "[-1:]", "(slice(1, None))"])
def test_nth(rows):
    agree(f"df.groupby('k').nth{rows}", df=SOME_MISSING)
    agree(f"df.groupby('k').v.nth{rows}", df=SOME_MISSING)
