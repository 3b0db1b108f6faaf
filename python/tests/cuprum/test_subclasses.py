"""Classes of users that inherit from frames and series: what methods return is of them where it is in pandas."""

import copy
import pickle
import subprocess
import sys

import pandas as pd
import pytest

import cuprum

STATEMENTS = [
    "f.head(2)",
    "f[f.a > 1]",
    "f[['a']]",
    "f['a']",
    "f.a",
    "f.loc[1:]",
    "f.loc[:, 'a']",
    "f.iloc[:2]",
    "f.loc[0, 'a']",
    "n.T",
    "n + 1",
    "1 - n",
    "n * n",
    "-n",
    "abs(n)",
    "n > 1",
    "n.sum()",
    "n.max(axis=1)",
    "f.copy()",
    "copy.copy(f)",
    "copy.deepcopy(f)",
    "f.merge(f, on='k')",
    "f.reset_index()",
    "f.assign(z=1)",
    "f.rename(columns={'a': 'q'})",
    "f.sort_values('b')",
    "f.groupby('k').sum()",
    "f.groupby('k')[['a']].mean()",
    "f.groupby('k').a.sum()",
    "f.groupby('k')['a'].transform('max')",
    "next(iter(f.groupby('k')))[1]",
    "f.big()",
    "f.a.to_frame()",
    "f.a.twice()",
    "f.a + 1",
    "f.a.map(str)",
    "f.a.loc[1:]",
    "f.k.str.upper()",
    "f.a.value_counts()",
    "f.describe()",
    "f.query('a > 1')",
    "f.eval('z = a + b')",
    "n.apply(lambda c: c.max())",
    "n.where(n > 2)",
    "n.rolling(2).mean()",
    "f.a.rolling(2).mean()",
    "f.set_index('k')",
    "f.drop(columns='a')",
    "f.align(f)[0]",
    "f.isna()",
    "f.melt('k')",
    "f.pivot_table('a', 'k')",
    "f.fillna(0)",
    "f.nlargest(1, 'a')",
    "f.at[0, 'a']",
    "f.pipe(lambda d: d)",
    "next(f.items())[1]",
    "n.corr()",
    "lib.concat([f, f])",
    "lib.concat([f.a, f.a])",
    "lib.concat({'x': f})",
    "type(f).from_dict({'a': [1]})",
    "Plain({'a': [1]}).head()",
]


def classes(lib):
    class Sub(lib.DataFrame):
        _metadata = ["source"]

        @property
        def _constructor(self):
            return Sub

        @property
        def _constructor_sliced(self):
            return SubSeries

        def big(self):
            return self[self.a > 1]

    class SubSeries(lib.Series):
        _metadata = ["unit"]

        @property
        def _constructor(self):
            return SubSeries

        @property
        def _constructor_expanddim(self):
            return Sub

        def twice(self):
            return self * 2

    class Plain(lib.DataFrame):
        pass

    return {"Sub": Sub, "SubSeries": SubSeries, "Plain": Plain}


def run(code, lib):
    made = classes(lib)
    f = made["Sub"]({"a": [1, 2, 3], "b": [4.0, 5.0, 6.0], "k": list("xxy")})
    f.source = "file"
    n = f[["a", "b"]]
    result = eval(code, {"f": f, "n": n, "lib": lib, "copy": copy, **made})
    return type(result).__name__, getattr(result, "source", None) if type(result).__name__ == "Sub" else None


# Attributes that results have and pandas' have not, for it makes these from scratch.
MORE_METADATA = ["n.rolling(2).mean()"]


@pytest.mark.parametrize("code", STATEMENTS)
def test_results_are_of_the_class(code):
    expected, ours = run(code, pd), run(code, cuprum)
    scalars = ("int64", "float64", "int", "float")
    assert ours[0] == expected[0] or (ours[0] in scalars and expected[0] in scalars)
    if code not in MORE_METADATA:
        assert ours[1] == expected[1]


class Kept(cuprum.DataFrame):
    """At the top of a module, where pickles find it."""

    _metadata = ["source"]

    def __init__(self, data, source):
        super().__init__(data)
        self.source = source

    @property
    def _constructor(self):
        return lambda data: Kept(data, "made")


def test_pickles_and_constructors_that_are_functions():
    frame = Kept({"a": [1, 2]}, "file")
    frame.attrs["unit"] = "m"
    again = pickle.loads(pickle.dumps(frame))
    assert type(again) is Kept and again.source == "file" and again.attrs == {"unit": "m"}
    assert again.equals(frame)
    assert type(frame.head(1)) is Kept and frame.head(1).source == "file"
    assert isinstance(frame, cuprum.DataFrame)


def test_attributes_of_ones_own():
    made = classes(cuprum)
    frame = made["Sub"]({"a": [1, 2]})
    frame.note = "no column"
    assert frame.note == "no column" and list(frame.columns) == ["a"]
    assert not hasattr(frame.head(), "note")
    with pytest.raises(AttributeError, match="source"):
        frame.source
    with pytest.raises(AttributeError, match="add a column"):
        cuprum.DataFrame({"a": [1]}).note = "lost"


def test_values_are_those_of_plain_frames():
    frame = classes(cuprum)["Sub"]({"a": [1, 2, 3], "k": list("xxy")})
    assert frame.groupby("k").a.sum().to_dict() == {"x": 3, "y": 3}
    frame.loc[0, "a"] = 10
    assert frame["a"].to_list() == [10, 2, 3]
    frame["b"] = frame.a * 2
    assert frame.sum(numeric_only=True).to_dict() == {"a": 15, "b": 30}
    assert repr(frame) == repr(cuprum.DataFrame(frame))


def test_groups_of_a_class_are_pickled():
    frame = Kept({"k": [1, 1], "v": [1, 2]}, "file")
    groups = pickle.loads(pickle.dumps(frame.groupby("k")))
    assert groups.v.sum().to_list() == [3]
    assert type(groups.sum()) is Kept and type(copy.deepcopy(frame.rolling(2)).sum()) is Kept
    assert copy.deepcopy(frame.v.rolling(2)).sum().to_list()[1] == 3.0
    assert type(frame.groupby("k").sum()) is Kept


def test_functions_of_groups_see_the_class():
    for lib in (pd, cuprum):
        made = classes(lib)
        frame = made["Sub"]({"a": [1, 2, 3], "k": list("xxy")})
        frame.source, seen = "file", []

        def look(piece, seen=seen):
            seen.append((type(piece).__name__, piece.name, getattr(piece, "source", None)))
            return len(repr(piece))

        frame.groupby("k").apply(look)
        frame.groupby("k")["a"].apply(look)
        assert seen == [
            ("Sub", "x", "file"),
            ("Sub", "y", "file"),
            ("SubSeries", "x", None),
            ("SubSeries", "y", None),
        ]


def test_classes_of_ours_are_none_of_users_beside_dask():
    program = """
import cuprum, cuprum.dask
df = cuprum.DataFrame({"k": [1, 1, 2], "v": [1, 2, 3]})
assert df.groupby("k").apply(lambda g: g.head(1)).shape == (2, 1)
class Own(cuprum.DataFrame):
    @property
    def _constructor(self):
        return Own
assert type(Own(df).head()) is Own
assert type(cuprum.concat([df, df])) is cuprum.DataFrame
"""
    subprocess.run([sys.executable, "-c", program], check=True)
