"""Options of printing: those of pandas and `info`."""

import io
import warnings

import numpy as np
import pandas as pd
import pytest

import cuprum

TALL = pd.DataFrame(
    {"k": range(100), "v": np.arange(100) / 7},
    index=pd.MultiIndex.from_product([range(10), range(10)], names=["p", "q"]),
)


SHOWN = {
    "mixed": pd.DataFrame(
        {"a": [1.23456789, -0.0001, 3e9], "b": ["x", None, "z"], "c": [[[1], [2]], [[1, 2]], [[3]]]}
    ),
    "tall": TALL,
    "series": TALL["v"],
    "wide": pd.DataFrame(np.arange(60.0).reshape(2, 30) * 1e6),
    "wide characters": pd.DataFrame({"国籍": ["UK", "日本"], "名前": ["Alice", "しのぶ"]}),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("display.chop_threshold", 0.5),
        ("display.colheader_justify", "left"),
        ("display.expand_frame_repr", False),
        ("display.float_format", "{:.1f}".format),
        ("display.multi_sparse", False),
        ("display.pprint_nest_depth", 1),
        ("display.unicode.east_asian_width", True),
        ("display.unicode.ambiguous_as_wide", True),
    ],
)
def test_options_of_printing_are_pandas(name, option, value):
    theirs = SHOWN[name]
    mine = cuprum.from_pandas(theirs)
    with pd.option_context(option, value), cuprum.option_context(option, value):
        assert repr(mine) == repr(theirs)
        assert mine.head(3).to_string() == theirs.head(3).to_string()
        if theirs.ndim == 2:
            assert mine.head(3).to_html(border=0) == theirs.head(3).to_html(border=0)
    assert repr(mine) == repr(theirs)


def test_large_frames_may_be_told_of():
    frame = cuprum.from_pandas(TALL)
    text = io.StringIO()
    frame.info(buf=text)
    with cuprum.option_context("display.large_repr", "info"):
        assert repr(frame) == text.getvalue()
    assert "MultiIndex: 100 entries, (0, 0) to (9, 9)" in text.getvalue()


def test_missing_integers_are_printed_as_ever():
    frame = cuprum.DataFrame({"i": [1, None], "b": [None, True]})
    with cuprum.option_context("display.multi_sparse", False):
        assert repr(frame).split() == ["i", "b", "0", "1", "<NA>", "1", "<NA>", "True"]
        assert repr(frame["i"]).endswith("dtype: int64")


def test_floats_as_engineers_write_them():
    theirs = pd.DataFrame({"a": [1.23456789, -0.0001, 3e9]})
    with cuprum.option_context("display.float_format", None), pd.option_context("display.float_format", None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pd.set_eng_float_format(accuracy=2, use_eng_prefix=True)
        cuprum.set_eng_float_format(accuracy=2, use_eng_prefix=True)
        assert repr(cuprum.DataFrame(theirs)) == repr(theirs)


def test_info_is_short_where_options_say_so():
    wide = cuprum.DataFrame(np.zeros((2, 101)))

    def told(frame, **given):
        text = io.StringIO()
        frame.info(buf=text, **given)
        return text.getvalue()

    assert "Columns: 101 entries, 0 to 100" in told(wide) and "non-null" not in told(wide)
    narrow = wide[[0, 1]]
    assert "2 non-null" in told(narrow) and "memory" in told(narrow)
    with cuprum.option_context("display.max_info_columns", 1):
        assert "non-null" not in told(narrow)
        assert "2 non-null" in told(narrow, verbose=True, show_counts=True)
    with cuprum.option_context("display.max_info_rows", 1, "display.memory_usage", False):
        assert "non-null" not in told(narrow) and "memory" not in told(narrow)
        assert "memory" not in told(narrow[0]) and "memory" in told(narrow, memory_usage=True)
