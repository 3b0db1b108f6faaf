"""Frames under labels that no column holds, a total row among numbers say, beside pandas."""

import io

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

# A row of totals, numbers under labels in another order, and numbers alone.
D = pd.DataFrame({"q": [1, 2, 3], "s": ["a", "b", "t"]}, index=[0, 1, "total"])
NAMED = D.rename_axis("k")
N = pd.DataFrame({"q": [1.0, 2, 4], "r": [5, 6, 7]}, index=["total", 0, "x"])
INTS = pd.DataFrame({"n": [1, 2, 3]}, index=[10, 0, 1])
LEVELS = pd.DataFrame(
    {"q": [1, 2, 3]}, index=pd.MultiIndex.from_tuples([("x", 0), ("x", "z"), ("y", 0)], names=["a", "b"])
)


@pytest.mark.parametrize(
    "code",
    [
        "d.drop('total')",
        "d.drop(0)",
        "d.drop(['total', 0])",
        "d.drop(index=['total', 9], errors='ignore')",
        "d.drop(index='total', columns='q')",
        "d.q.drop('total')",
        "d.to_csv()",
        "d.to_csv(index_label='z')",
        "d.q.to_csv()",
        "d.reset_index()",
        "d.reset_index(names='z')",
        "d.q.reset_index()",
        "named.reset_index()",
        "named.q.reset_index(name='z')",
        "d.rename_axis('z').reset_index()",
        "d.reset_index().melt(id_vars='index')",
        "d.to_html()",
        "d._repr_html_()",
        "d.q.to_frame()._repr_html_()",
        "d.sort_index(key=lambda i: i.astype(str))",
        "d.q.sort_index(key=lambda i: i.map(str))",
        "lib.Series([1, 2], index=lib.Index([2, 1.5], dtype=object)).sort_index().to_list()",
        "lib.concat([d, n], axis=1)",
        "lib.concat([d, i], axis=1)",
        "lib.concat([d, i], axis=1, join='inner').to_dict()",
        "lib.concat([i, n[['r']].set_axis(['a', 'b', 'c'])], axis=1)",
        "lib.concat([d, n], axis=1, sort=True)",
        "lib.concat([d.q, n.q, i.n], axis=1)",
        "d.join(n, rsuffix='_r')",
        "d.join(n, how='outer', rsuffix='_r')",
        "d.join(n, how='inner', rsuffix='_r')",
        "d.join(n, how='right', rsuffix='_r')",
        "d.join(i)",
        "i.join(d)",
        "i.join(d, how='outer')",
        "d.join([n.rename(columns={'q': 'z'}), i])",
        "d.merge(n, left_index=True, right_index=True)",
        "d.merge(n, left_index=True, right_index=True, how='outer')",
        "named.merge(named, on='k')",
        "named.merge(named.reset_index(), on='k')",
        "d.groupby(level=0).q.sum()",
        "d.groupby(d.index).q.sum()",
        "d.groupby(level=0, sort=False).sum()",
        "d.groupby({0: 'a', 1: 'a', 'total': 't'}).q.sum()",
        "named.groupby('k').q.sum()",
        "d.groupby('s').apply(lambda g: g.head(1))",
        "d.groupby('s').q.nlargest(1)",
        "d.groupby('s').idxmax()",
        "d.groupby('s', as_index=False).idxmin()",
        "d.groupby('s').q.idxmax()",
        "d.query('index == \"total\"')",
        "d.query('index == @wanted', local_dict={'wanted': 'total'})",
        "d.query('q > 1')",
        "d.stack()",
        "d[['q']].stack()",
        "n.stack()",
        "n.T.stack()",
        "n.unstack()",
        "d.pivot(columns='s', values='q')",
        "d.set_index('s', append=True)",
        "d.set_index('s', append=True).reset_index()",
        "d.set_index('s', append=True).unstack()",
        "d.q.rolling(2).sum()",
        "d.index.to_series()",
        "d.index.to_frame()",
        "d.index.value_counts()",
        "d.index.fillna('x')",
        "d.index.str.upper().to_list()[2]",
        "str(d.index.dtype)",
        "lib.Series({'a': 1, 2: 3}).reset_index()",
    ],
)
def test_one_level(code):
    frames = {"d": D, "named": NAMED, "n": N, "i": INTS}
    agree(code, kept="q", **{name: frame for name, frame in frames.items() if name in code})


@pytest.mark.parametrize(
    "code",
    [
        "m",
        "m.T",
        "m.reset_index()",
        "m.reset_index('a')",
        "m.reset_index('b')",
        "m.to_csv()",
        "m.to_html()",
        "m.unstack()",
        "m.stack()",
        "m.swaplevel()",
        "m.droplevel(0)",
        "m.index.get_level_values(1)",
        "m.index.to_frame()",
        "m.xs('z', level='b')",
        "m.q + m.q",
        "m.join(m, rsuffix='_r')",
        "m.groupby(level=0).sum()",
        "m.groupby(level=1).sum()",
        "m.groupby(['a', 'b']).sum()",
        "lib.concat([m, m])",
        "lib.MultiIndex.from_tuples([('x', 0), ('x', 'z')])",
        "lib.MultiIndex.from_arrays([['x', 'x'], [0, 'z']])",
        "lib.MultiIndex.from_product([['x'], [0, 'z']])",
        "lib.Series([1, 2], index=[['x', 'x'], [0, 'z']])",
        "lib.DataFrame({'a': [1, 'z'], 'b': [1, 2], 'v': [1, 2]}).set_index(['a', 'b'])",
        "lib.DataFrame({'a': [1, 'z'], 'b': [1, 2], 'v': [1, 2]}).groupby(['a', 'b'], sort=False).sum()",
    ],
)
def test_several_levels(code):
    agree(code, **({"m": LEVELS} if "m" in code else {}))


def test_info_tells_of_the_labels():
    def lines(lib, d):
        out = io.StringIO()
        d.info(buf=out)
        return out.getvalue().split("\n")[1:7]

    agree(lines, d=D)


def test_columns_stay_ours():
    left = cuprum.DataFrame({"i": [1, 2], "d": [b"x", b"y"]}, index=[0, "t"])
    right = cuprum.DataFrame({"j": [5]}, index=["t"])
    joined = left.join(right)
    assert joined.j.dtype == "int64" and joined.j.isna().to_list() == [True, False]
    assert left.drop("t").dtypes.to_list() == left.dtypes.to_list() == left.reset_index().dtypes.to_list()[1:]
    assert np.array_equal(left.reset_index()["index"].to_numpy(), np.array([0, "t"], dtype=object))
