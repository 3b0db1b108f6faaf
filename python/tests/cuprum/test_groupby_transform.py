"""Results for every row of groups: cumulative ones, ranks, `transform`, `shift` and `diff`."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, frames, given
from pandas.api.indexers import FixedForwardWindowIndexer
from small_frames import TWO_GROUPS

import cuprum


@pytest.mark.parametrize(
    "code",
    [
        "g.cumsum(skipna=False)",
        "g['w'].cummax(skipna=False)",
        "g[['w']].cumprod(skipna=False)",
        "g.cummin(skipna=False)",
    ],
)
def test_skipna_of_cumulative_results_of_groups(code):
    def run(lib, df):
        return eval(code, {"g": df.groupby("k"), "indexer": FixedForwardWindowIndexer})

    agree(run, df=TWO_GROUPS)


KEYS = {
    "int": {"k": "int"},
    "int with gaps": {"k": "int?"},
    "text": {"k": "str?"},
    "float": {"k": "float?"},
    "bool": {"k": "bool"},
    "time": {"k": "time?"},
    "two": {"k": "int", "l": "str"},
    "two with gaps": {"k": "int?", "l": "str?"},
    "three": {"k": "bool", "l": "int32", "m": "float?"},
}


CUMULATIVE = ["cumsum", "cumprod", "cummax", "cummin"]


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_cumulative_results_of_groups(keys):
    names = list(keys)

    @given(frames(**keys, i="int", j="int?", f="float?", max_rows=12))
    def check(f):
        groups = f"df.groupby({names})"
        for how in CUMULATIVE:
            agree(f"{groups}[['i', 'j', 'f']].{how}()", df=f, rtol=1e-9)
            agree(f"{groups}['f'].{how}()", df=f, rtol=1e-9)
        for periods in (1, -1, 2, 50):
            agree(f"{groups}.shift({periods})", df=f)
        agree(f"{groups}['f'].diff()", df=f)
        agree(f"{groups}[['i', 'f']].diff(-1)", df=f)
        agree(f"{groups}.ffill()", df=f, kept="j")
        agree(f"{groups}['f'].bfill()", df=f)
        for options in ("", "ascending=False"):
            agree(f"{groups}.cumcount({options})", df=f)
            agree(f"{groups}.ngroup({options})", df=f)

    check()


@given(
    frames(k="int?", i="int", f="float?", t="time", max_rows=12),
    st.sampled_from(["average", "min", "max", "first", "dense"]),
)
def test_ranks_in_groups(f, method):
    for missing in ("keep", "top", "bottom"):
        for options in ("", ", ascending=False", ", pct=True"):
            arguments = f"method='{method}', na_option='{missing}'{options}"
            agree(f"df.groupby('k')[['i', 'f', 't']].rank({arguments})", df=f, rtol=1e-9)
    agree("df.groupby('k', dropna=False)['i'].rank()", df=f)


@given(frames(k="int?", s="str?", t="time", b="bool", max_rows=12))
def test_shift_diff_and_cumulative_results_of_other_types(f):
    agree("df.groupby('k').shift()", df=f)
    agree("df.groupby('k')[['s', 't']].ffill()", df=f)
    agree("df.groupby('k')['t'].cummax()", df=f)
    agree("df.groupby('k')['b'].cumsum()", df=f)
    agree("df.groupby('k').cumsum(numeric_only=True)", df=f)
    with pytest.raises(TypeError, match="column 's'"):
        f.ours.groupby("k")[["s"]].cumsum()


@given(frames(k="str?", i="int", f="float?", max_rows=12))
def test_transform_by_name(f):
    agree("df.groupby('k')['i'].transform('cumsum')", df=f)
    agree("df.groupby('k')[['i', 'f']].transform('cummax')", df=f)
    agree("df.groupby('k')['f'].transform('rank', method='min')", df=f)
    agree("df.groupby('k')['f'].transform('shift', -1)", df=f)
    agree("df.groupby('k')['f'].transform('ffill')", df=f)
    agree("df.groupby('k')['f'].transform('max')", df=f)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "uint32", "uint64", "float32"])
def test_differences_in_groups_do_not_wrap(dtype):
    values = np.array([1, 0, 100, 7], dtype=dtype)
    frame = pd.DataFrame({"k": [1, 1, 2, 2], "v": values})
    agree("d.groupby('k').v.diff()", d=frame, kept=...)
    agree("d.groupby('k').diff()", d=frame, kept="v")
    found = cuprum.Series(values).diff().to_pandas().tolist()[1:]
    assert found == [-1, 100, -93]
    if not dtype.startswith("u"):  # pandas wraps those of unsigned integers outside of groups
        agree("d.v.diff()", d=frame, kept=...)
    agree("lib.Series(np.array([-128, 127, 1], dtype='int8')).diff()", kept=...)
