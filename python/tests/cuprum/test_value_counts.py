"""`value_counts` of series, frames and indexes."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree
from small_frames import SIZES


@pytest.mark.parametrize(
    "code",
    [
        "df.value_counts('g')",
        "df.value_counts(['k', 'g'])",
        "df.value_counts(['g', 'o'], sort=False)",
        "df[['o', 't']].value_counts(normalize=True)",
        "df[['g', 'v']].value_counts(ascending=True, dropna=False)",
    ],
)
def test_rows_are_counted_with_the_categories_that_none_has(code):
    agree(f"repr({code})", df=SIZES)


@pytest.mark.parametrize("given", ["", "sort=False", "ascending=True", "normalize=True"])
def test_labels_of_several_levels_are_counted_in_order(given):
    labels = [("b", 2), ("a", 1), ("c", 0), ("c", 0), ("a", 1), ("b", 2), ("a", 0)]
    agree(lambda lib: eval(f"index.value_counts({given})", {"index": lib.MultiIndex.from_tuples(labels)}))


@pytest.mark.parametrize("rows", [1, 10, 127, 128, 129, 300])
@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("normalize", [True, False])
def test_value_counts_has_the_order_of_pandas(rows, sort, ascending, normalize):
    values = np.random.default_rng(rows).integers(0, 12, rows)
    code = f"s.value_counts(sort={sort}, ascending={ascending}, normalize={normalize})"
    agree(code, s=pd.Series(values, name="n"))
    agree(code, s=pd.Series(values.astype("int16")))
