"""`set_axis`, and labels that are set by attributes."""

import pytest
from oracle import SMALL, agree


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.index = None\ndf", TypeError, "Index(...) must be called with a collection of some kind"),
        ("df.columns = None\ndf", TypeError, "Index(...) must be called with a collection of some kind"),
        ("df['a'].index = None\ndf", TypeError, "Index(...) must be called with a collection of some kind"),
    ],
)
def test_labels_are_not_set_to_none(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)
