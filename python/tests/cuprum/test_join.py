"""`join` of frames and indexes."""

from typing import Any

import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import TWO_FRAMES, UNDER_INTEGERS, half_days_by_letter, times_and_durations


def test_join_takes_a_list_of_frames():
    agree(
        "lib.DataFrame({'a': [1, 2]}, [1, 0]).join([lib.DataFrame({'b': [5, 6]}, [0, 1])], how='outer')",
        **SMALL,
        kept=...,
    )


def test_join_takes_suffixes() -> None:
    agree("df.join(df, suffixes=('_l', '_r'))", **SMALL)


def test_join_takes_suffixes_in_one_way() -> None:
    agree(
        "df.join(df, lsuffix='_l', suffixes=('_l', '_r'))",
        refused=(ValueError, "Cannot specify both 'suffixes' and 'lsuffix'/'rsuffix'"),
        **SMALL,
    )


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            lambda lib: lib.Index([3, 1, 2]).join(lib.Index([3, 1, 2]), how="outer", return_indexers=True),
            id="joined with itself",
        ),
        pytest.param(
            lambda lib: (
                half_days_by_letter(lib).index[::-1].join(half_days_by_letter(lib).index[::-1], how="outer")
            ),
            id="levels joined with themselves",
        ),
    ],
)
def test_indexes_are_joined_with_themselves(call):
    agree(call)


def _pair(lib: Any, label: Any, levels: list[str]) -> Any:
    return lib.DataFrame({label: [3]}, index=lib.MultiIndex.from_tuples([(1, 2)], names=levels))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            lambda lib: lib.DataFrame({0: [1]}).join(lib.DataFrame({0: [2]}), rsuffix="r"),
            id="a label with an empty suffix",
        ),
        pytest.param(
            lambda lib: lib.DataFrame({0: [1]}).join(lib.DataFrame({0: [2]}), lsuffix="l"),
            id="an empty suffix of the other",
        ),
        pytest.param(
            lambda lib: _pair(lib, "c", ["p", "q"]).join(
                _pair(lib, "d", ["q", "p"]).swaplevel().set_axis(_pair(lib, "d", ["q", "p"]).index),
                how="right",
            ),
            id="levels of the right",
        ),
        pytest.param(
            lambda lib: _pair(lib, "c", ["p", "q"]).join(_pair(lib, "d", ["q", "p"]), how="left"),
            id="levels of the left",
        ),
        pytest.param(
            lambda lib: _pair(lib, "c", ["p", "q"]).merge(
                _pair(lib, "d", ["q", "p"]), how="right", left_index=True, right_index=True
            ),
            id="levels of the right, merged",
        ),
    ],
)
def test_suffixes_and_levels_of_joins(call):
    agree(call)


def test_labels_with_and_without_a_zone_are_not_joined():
    agree(
        lambda lib: lib.Index(times_and_durations(lib)["t"]).join(lib.Index(times_and_durations(lib)["z"])),
        refused=(TypeError, "Cannot join tz-naive with tz-aware DatetimeIndex"),
    )


def test_join_of_one_label_needs_a_suffix():
    agree(
        lambda lib: lib.DataFrame({0: [1]}).join(lib.DataFrame({0: [2]})),
        refused=(ValueError, "columns overlap but no suffix specified: 0"),
    )


def test_cross_joins_take_a_suffix():
    agree("a.join(b, how='cross', rsuffix='_b')", **TWO_FRAMES)


def test_cross_joins_take_no_key():
    agree(
        "a.join(b, how='cross', on='id')",
        refused=(pd.errors.MergeError, "Can not pass on, right_on, left_on"),
        **TWO_FRAMES,
    )


@pytest.mark.parametrize("how", ["left", "right", "inner", "outer"])
def test_joins_keep_the_labels_of_the_side_that_they_keep(how):
    floats = UNDER_INTEGERS.set_axis([0.5, 1.0, 5.0, 2.0])
    agree(f"a.join(b, how='{how}', rsuffix='_r')", a=UNDER_INTEGERS, b=floats)
    agree(f"a.join(b, how='{how}', rsuffix='_r')", a=floats, b=UNDER_INTEGERS)
