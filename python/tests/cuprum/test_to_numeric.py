"""`to_numeric`."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum


@pytest.mark.parametrize(
    "times", ["datetime64[D]", "datetime64[h]", "timedelta64[D]", "timedelta64[m]", "datetime64[s]"]
)
def test_to_numeric_of_times_of_numpy_gives_their_ticks(times: str) -> None:
    given = np.array([0, 3, -5], dtype=times)
    np.testing.assert_array_equal(cuprum.to_numeric(given), pd.to_numeric(given))


@pytest.mark.parametrize("texts", [
    ["18446744073709551616", "1"], ["-9223372036854775809", "1"], ["18446744073709551615", "-1"], ["1" * 30, None, ""],
])  # fmt: skip
def test_integers_beyond_64_bits_are_not_rounded(texts: list[str | None]) -> None:
    with pytest.raises(OverflowError, match="64 bits"):
        cuprum.to_numeric(cuprum.Series(texts))
    if texts[1] != "-1":  # which pandas leaves as texts
        agree(lambda lib: lib.to_numeric(lib.Series([*texts, "x"]), errors="coerce"))
        agree(lambda lib: lib.to_numeric(lib.Series([*texts, "1.5"])))
    agree(lambda lib: lib.to_numeric(texts[0]))
    agree(lambda lib: lib.to_numeric(["18446744073709551615", "1"]))


@pytest.mark.parametrize(
    "expression",
    [
        "lib.to_numeric(lib.Series(['1', '2']))",
        "lib.to_numeric(lib.Series(['1.5', 'x', None]), errors='coerce')",
        "lib.to_numeric(lib.Series(['1.5', '']))",
        "lib.to_numeric(lib.Series(['9223372036854775808', '1']))",
        "lib.to_numeric(lib.Series(['1', '1e3']))",
        "lib.to_numeric(t)",
        "lib.to_numeric(t - t.shift().fillna(t))",
        "lib.to_numeric(lib.Series([True, False]), downcast='integer')",
        *(
            f"lib.to_numeric(lib.Series({values}), downcast={kind!r})"
            for values in (
                "[1, 200]",
                "[-1, 70000]",
                "[1.0, 2.0]",
                "[1.5, 2]",
                "[1e300]",
                "[]",
                "['1', '-129']",
            )
            for kind in ("integer", "signed", "unsigned", "float")
        ),
    ],
)
def test_to_numeric_of_texts_lists_and_times(expression):
    agree(expression, t=pd.Series(pd.to_datetime(["2013-01-01", "2014-01-01"])))


def test_texts_that_are_no_numbers_are_refused():
    for lib in (pd, cuprum):
        for call in (
            lambda lib: lib.to_numeric(lib.Series(["1", "x"])),
            lambda lib: lib.to_numeric(["1"], errors="never"),
            lambda lib: lib.to_numeric(["1"], downcast="never"),
        ):
            with pytest.raises(ValueError):
                call(lib)
    with pytest.raises(TypeError, match="to_numeric"):
        cuprum.to_numeric(cuprum.Series([[1], [2]]))
    assert cuprum.isna(cuprum.to_numeric("x", errors="coerce"))


@pytest.mark.parametrize("of", [["1", "2"], ["1", "2.5"], [1, 2], np.array(["1", "2"]), ("1", None)])
def test_to_numeric_of_a_sequence_is_an_array(of):
    ours, theirs = cuprum.to_numeric(of), pd.to_numeric(of)
    assert type(ours) is type(theirs) and ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("texts", [["nan"], ["1", "NaN"], ["-nan", "2.5"], ["x"]])
def test_texts_that_say_that_they_are_no_numbers_are_refused(texts):
    for lib in (pd, cuprum):
        for values in (texts, lib.Series(texts)):
            with pytest.raises(ValueError):
                lib.to_numeric(values)
    agree(f"lib.to_numeric(lib.Series({texts!r}), errors='coerce').astype('float64')")
