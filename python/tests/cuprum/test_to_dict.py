"""`to_dict` and `from_dict`."""

from collections import defaultdict

import pandas as pd
import pytest
from small_frames import ANIMALS

import cuprum


def test_to_dict_of_columns_of_one_name():
    frame = cuprum.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.warns(UserWarning, match="columns are not unique"):
        assert frame.to_dict("records") == [{"a": 2}]
    with pytest.raises(ValueError, match="index must be unique"):
        cuprum.DataFrame({"a": [1, 2]}, index=[0, 0]).to_dict("index")


@pytest.mark.parametrize("frame", [ANIMALS, ANIMALS.set_index(["one", "two"]), ANIMALS.T.iloc[:0]])
def test_tight_dicts_there_and_back(frame):
    ours = cuprum.DataFrame(frame)
    again = cuprum.DataFrame.from_dict(ours.to_dict("tight"), orient="tight")
    assert again.to_dict("tight") == frame.to_dict("tight")
    with pytest.raises(ValueError, match="orient='tight'"):
        cuprum.DataFrame.from_dict(ours.to_dict("tight"), orient="tight", columns=["x"])


def test_dicts_are_of_the_type_of_a_mapping():
    made = cuprum.Series([1]).to_dict(into=defaultdict(list))
    assert made == {0: 1} and made["x"] == []
    for into in (list, [], defaultdict):
        with pytest.raises(TypeError):
            cuprum.DataFrame(ANIMALS).to_dict(into=into)


@pytest.mark.parametrize(
    "code", ["df.loc[1].to_dict()", "df.iloc[0].to_dict()", "[row.to_dict() for _, row in df.iterrows()]"]
)
def test_to_dict_of_rows_has_values_of_python(code):
    df = pd.DataFrame({"i": [1, 2], "f": [0.5, 1.5], "b": [True, False], "s": ["x", "y"]})
    df["t"] = pd.date_range("2024-01-01", periods=2)
    theirs, mine = eval(code), eval(code, {"df": cuprum.DataFrame(df)})
    assert mine == theirs and repr(mine) == repr(theirs)
