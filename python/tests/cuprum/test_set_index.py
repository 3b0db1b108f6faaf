"""`set_index`: columns and arrays become row labels."""

import pytest
from oracle import agree
from small_frames import FLOATS


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
