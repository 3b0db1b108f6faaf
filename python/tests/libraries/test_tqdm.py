"""`tqdm.pandas()` gives our classes the methods that it gives those of pandas: the same results, the same bars."""

import io

import pandas as pd
import pytest

pytest.importorskip("tqdm")

from tqdm import tqdm
from tqdm.auto import tqdm as auto

import cuprum

FRAME = pd.DataFrame({"a": [1, 2, 3], "k": [1, 1, 2]})

CALLS = [
    "df.progress_apply(lambda c: c.sum())",
    "df.progress_apply(lambda r: str(r.a + r.k), axis=1)",
    "df.progress_apply(lambda r: str(r.a + r.k), axis='columns')",
    "df.progress_map(lambda x: x + 1)",
    "df.a.progress_apply(lambda x: x + 1)",
    "df.a.progress_map(lambda x: x + 1)",
    "df.groupby('k').progress_apply(lambda g: g.a.sum())",
    "df.groupby('k').a.progress_apply(lambda x: x.sum())",
    "df.groupby('k').a.progress_transform(lambda x: x - x.min())",
    "df.groupby('k').progress_aggregate(lambda x: x.max() - x.min())",
    "df.a.rolling(2).progress_apply(lambda w: w.sum())",
    "df.a.expanding().progress_apply(lambda w: w.sum())",
]


@pytest.mark.parametrize("code", CALLS)
@pytest.mark.parametrize("bars", [tqdm, auto], ids=["tqdm", "auto"])
def test_progress_methods(code, bars):
    found = {}
    for lib in (pd, cuprum):
        shown = io.StringIO()
        bars.pandas(desc="calls", file=shown, leave=True, mininterval=0, miniters=1)
        found[lib] = eval(code, {"df": lib.DataFrame(FRAME)})
        assert "calls" in shown.getvalue()
        if "_map" in code or ("_apply" in code and "expanding" not in code and "rolling" not in code):
            # How many calls there are is known.
            assert "100%" in shown.getvalue()
    assert found[cuprum].to_pandas().equals(found[pd])


def test_names_of_aggregations_are_refused():
    tqdm.pandas(disable=True)
    with pytest.raises(TypeError, match="progress_apply"):
        cuprum.DataFrame(FRAME).progress_apply("sum")
