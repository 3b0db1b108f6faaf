"""`set_index`: columns and arrays become row labels."""

import pandas as pd
import pytest
from oracle import agree

FLOATS = pd.DataFrame({"a": [1.0, 2.0, 4.0, 8.0], "b": [3.0, 1.0, 2.0, 0.5]})


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("df.set_index(np.arange(3))", ValueError, "Length mismatch: Expected 4 rows, received array of"),
        (
            "df.set_index(['a', np.arange(5)])",
            ValueError,
            "Length mismatch: Expected 4 rows, received array of",
        ),
        ("df.set_index({'a'})", TypeError, "`keys` has a set: keys are labels of columns, arrays, or"),
    ],
)
def test_set_index_refuses_lengths_and_sets(code, error, text):
    agree(code, refused=(error, text), df=FLOATS)
