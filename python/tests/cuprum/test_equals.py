"""`equals` of frames, series and indexes."""

import pytest
from oracle import SMALL, agree
from small_frames import FLOATS


def test_an_index_equals_no_list():
    agree("lib.Index([1, 2]).equals([1, 2])", **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        "df.astype({'b': 'category'}).equals(df.astype({'b': 'category'}).assign(b=lambda d: d.b.cat.set_categories([3.0, 2, 1, 0.5])))",
        "df.b.astype('category').cat.as_ordered().equals(df.b.astype('category'))",
        "df.b.astype('category').equals(df.b.astype('category').cat.add_categories([7.0]))",
        "df.b.astype('category').equals(df.b[::-1].reset_index(drop=True).astype('category'))",
    ],
)
def test_categories_equal_those_of_the_same_order(code):
    agree(code, df=FLOATS)
