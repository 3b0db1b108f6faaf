"""Values along an axis beside a frame, and labels that repeat on either side: results and refusals are those of pandas."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import cuprum

NAN = float("nan")


def _given(lib: Any) -> dict[str, Any]:
    frame, series = lib.DataFrame, lib.Series
    return {
        "nan": NAN,
        "np": np,
        "S": series,
        "D": frame,
        "aa": frame([[1, 2], [3, 4]], columns=list("aa")),
        "aab": frame([[10, 20, 30], [40, 50, 60]], columns=list("aab")),
        "ab": frame([[10, 20.0], [30, 40]], columns=list("ab")),
        "ba": frame([[20.0, 10], [40, 30]], columns=list("ba")),
        "abb": frame([[10, 20.0, 7], [30, 40, 8]], columns=list("abb")),
        "gaps": frame([[NAN, 1], [2, NAN]], columns=list("aa")),
        "few": frame({"a": [1.0, NAN, 3.0], "b": [4, 5, 6], "c": ["x", None, "z"]}),
        "levels": frame(
            [[NAN, 1.0, NAN], [2.0, NAN, NAN]],
            columns=pd.MultiIndex.from_tuples([("o", "x"), ("o", "y"), ("p", "x")])
            if lib is pd
            else lib.MultiIndex.from_tuples([("o", "x"), ("o", "y"), ("p", "x")]),
        ),
        "mixed": frame({"n": [1, 5, 9], "t": pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"])}),
    }


def _same(code: str) -> None:
    """Compare a result with pandas', or the class of the error."""

    def answer(lib: Any) -> Any:
        return eval(code, _given(lib))

    try:
        expected = answer(pd)
    except Exception as error:
        with pytest.raises(Exception, match=r".") as found:
            answer(cuprum)
        assert isinstance(found.value, type(error)), found.value
        return
    made = answer(cuprum)
    for ours, theirs in zip(*([x] if not isinstance(x, tuple) else x for x in (made, expected)), strict=True):
        pd.testing.assert_frame_equal(ours.to_pandas(), theirs)


# Failed before operands were resolved by position.
@pytest.mark.parametrize(
    "code",
    [
        "aa + aab",
        "aa + ab",
        "ab + aa",
        "abb + ba",
        "aa.add(aab, fill_value=0)",
        "aa.sub(ab, fill_value=0)",
        "aa.rsub(ab, fill_value=0)",
        "ab + S([1.0, 2.0], index=list('aa'))",
        "aa.add(S([1, 2], index=list('aa')), fill_value=1)",
        "aa.add(S([1, 2]), axis=0, fill_value=1)",
        "aa.eq(ab)",
        "aa.ne(aab)",
        "aa.combine(ab, lambda x, y: x + y)",
        "ab.combine(aa, lambda x, y: x + y)",
        "aa.combine_first(ab)",
        "ab.combine_first(aa)",
        "abb.combine_first(ba)",
        "gaps.combine_first(ab)",
        "gaps.fillna({'a': S([7.0, 8.0])})",
        "gaps.fillna({'a': S([7.0], index=['a'])})",
        "gaps.fillna({'a': {'a': 7}})",
    ],
)
def test_labels_that_repeat_on_one_side(code: str) -> None:
    _same(code)


@pytest.mark.parametrize(
    "code",
    [
        "aa + S([1, 2, 3], index=list('aab'))",
        "aa + S([1, 2], index=list('ab'))",
        "aa.combine(aab, lambda x, y: x + y)",
        "aa.combine_first(aab)",
        "gaps.fillna(aab)",
        "ab.clip(lower=S([1, 2], index=['a', 'a']), axis=1)",
        "ab.where(ab > 15, S([1, 2], index=['a', 'a']), axis=1)",
        "aa == ab",
    ],
)
def test_labels_that_repeat_are_refused_as_by_pandas(code: str) -> None:
    _same(code)


@pytest.mark.parametrize(
    "code",
    [
        "aa.where(ab > 15, -1)",
        "aa.where(aa > 2, ab)",
        "aa.mask(aa > 2, S([7, 8], index=['a', 'b']), axis=1)",
        "ab.where(S([True, False]), S([7, 8], index=['b', 'z']), axis=1)",
        "ab.where(ab > 15, S([7, 8], index=[1, 2]), axis=0)",
        "few[['a', 'b']].where(D({'a': [True, False, True], 'z': ['x', 'y', 'z']}), -1.0)",
        "few[['a', 'b']].where(few[['a', 'b']] > 3, [7, 8], axis=1)",
        "ab.where(ab > 15, np.array([[1, 2], [3, 4]]))",
        "ab.clip(lower=S([15, nan], index=['a', 'b']), axis=1)",
        "ab.clip(lower=S([15, 25]), upper=35, axis=0)",
        "ab.clip(upper=S([15], index=['b']), axis=1)",
        "few[['a', 'b']].add(S([10.0, 20.0], index=['b', 'z']), fill_value=1)",
        "few[['a', 'b']].rsub(S([10, 20, 30]), axis=0, fill_value=1)",
        "few[['a', 'b']] ** S([2.0], index=['b'])",
        "S([2.0], index=['b']) ** few[['a', 'b']]",
        "few[['a', 'b']].eq(S([3, 4], index=['a', 'z']))",
        "few[['a', 'b']].add([10, 20], fill_value=1)",
        "gaps.fillna(S([5, 6], index=list('aa')))",
        "gaps.fillna(ab)",
        "gaps.fillna(S([5.0, 6.0]), axis=1)",
        "gaps.fillna(7.0, axis=1, limit=1)",
        "few.fillna({'a': S([7.0], index=[1]), 'c': 'y'})",
        "levels.fillna({'o': 5.0})",
        "levels.fillna({'o': {'x': 5.0}})",
        "levels.fillna({('o', 'y'): S([7.0, 8.0])})",
        "levels.fillna({'o': S([5.0, 6.0], index=['y', 'q'])}, limit=1)",
        "aa.align(aab)",
        "aa.align(ab, join='inner')",
        "aa.align(ab, join='left')",
    ],
)
def test_values_along_an_axis(code: str) -> None:
    _same(code)


def test_limits_of_unlike_types_along_the_columns() -> None:
    frame = _given(cuprum)["mixed"]
    made = frame.clip(lower=frame.quantile(0.5), axis=1)
    assert made["n"].to_list() == [5, 5, 9]
    assert made["t"].to_list() == [pd.Timestamp("2021-01-01")] * 2 + [pd.Timestamp("2022-01-01")]
    assert frame.clip(upper=[4, pd.Timestamp("2021-06-01")])["n"].to_list() == [1, 4, 4]


def test_what_repeats_is_named() -> None:
    given = _given(cuprum)
    with pytest.raises(ValueError, match="duplicate labels: 'a' repeats"):
        given["aa"].where(given["aa"] > 2, given["aab"])
    with pytest.raises(ValueError, match="duplicate labels: 'a' repeats"):
        given["aa"].combine_first(given["aab"])
