"""What a user hangs on a frame or a series goes along with results, as in pandas."""

import pickle

import numpy as np
import pandas as pd
import pytest

import cuprum

SAME = {"lib": None, "np": np, "pickle": pickle}


@pytest.mark.parametrize(
    "code",
    [
        "d.head(1)",
        "d[d.a > 1]",
        "d['a']",
        "d.a",
        "d[['a']]",
        "d.copy()",
        "d.sort_values('a')",
        "d.iloc[:1]",
        "d.iloc[0]",
        "d.loc[[0]]",
        "d[['a']] + 1",
        "d + d",
        "d + e",
        "e + d",
        "-d[['a']]",
        "np.sqrt(d[['a']])",
        "d.a > 1",
        "d.b.str.upper()",
        "d.T",
        "d.assign(z=1)",
        "d.drop(columns='a')",
        "d.rename(columns=str.upper)",
        "d.reset_index()",
        "d.groupby('a').sum()",
        "d.a.map(lambda x: x)",
        "d.fillna(0)",
        "d.query('a > 1')",
        "d.head(1).tail(1)",
        "d.sum(numeric_only=True)",
        "lib.concat([d, d])",
        "lib.concat([d, e])",
        "d.merge(d, on='a')",
        "d.merge(e, on='a')",
        "d.join(d, rsuffix='_r')",
        "pickle.loads(pickle.dumps(d)).head(1)",
        "d.assign(a=[1, 'x']).head(1)",
        "lib.DataFrame(d.to_dict())",
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_results_have_the_attrs_that_those_of_pandas_have(code):
    found = []
    for lib in (pd, cuprum):
        d, e = (lib.DataFrame({"a": [1, 2], "b": ["x", "y"]}) for _ in range(2))
        d.attrs["source"] = "file"
        found.append(eval(code, SAME | {"lib": lib, "d": d, "e": e}).attrs)
    assert found[0] == found[1]


def test_attrs_of_results_are_copies():
    frame = cuprum.DataFrame({"a": [1]})
    frame.attrs["units"] = ["m"]
    frame.head().attrs["units"].append("s")
    assert frame.attrs == {"units": ["m"]}


def test_objects_with_attrs_stay_frames():
    frame = cuprum.DataFrame({"a": [1, 2]})
    frame.attrs["source"] = "file"
    frame["b"] = [1, "x"]
    assert frame.head().attrs == {"source": "file"} and frame.b.to_list() == [1, "x"]
    frame["b"] = 0
    assert frame.b.sum() == 0 and frame.attrs == {"source": "file"}
    assert type(frame).__name__ == "DataFrame" and isinstance(frame, cuprum.DataFrame)
    assert repr(type(frame)) == repr(cuprum.DataFrame)


def test_classes_of_users_have_attrs():
    class Plain(cuprum.DataFrame):
        pass

    class Kept(cuprum.DataFrame):
        @property
        def _constructor(self):
            return Kept

    for kind in (Plain, Kept):
        frame = kind({"a": [1, 2]})
        frame.attrs["source"] = "file"
        assert type(frame) is kind and frame.attrs == {"source": "file"}
    assert type(frame.head(1)) is Kept and frame.head(1).attrs == {"source": "file"}
