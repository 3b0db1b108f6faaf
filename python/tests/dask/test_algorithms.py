"""What Dask computes of partitions is what one frame gives, labels and dtypes too."""

import dask.dataframe as dd
import pandas as pd
import pytest
from sample_frames import table

import cuprum

FRAME = table()
OTHER = cuprum.DataFrame(
    {"k": list(range(3, 25)), "y": [k * 1.5 for k in range(3, 25)], "n": [f"n{k}" for k in range(22)]}
)


@pytest.fixture(scope="module")
def parts():
    return dd.from_pandas(FRAME, npartitions=4), dd.from_pandas(OTHER, npartitions=2)


def same(got, wanted, order="labels"):
    """Compare values, labels, dtypes; rows sorted by their labels, by their values, or as they come."""
    if not isinstance(wanted, (cuprum.DataFrame, cuprum.Series)):
        return wanted == pytest.approx(got, rel=1e-9)
    assert type(got) is type(wanted)
    if isinstance(wanted, cuprum.DataFrame):
        assert list(got.columns) == list(wanted.columns)
        assert [str(dtype) for dtype in got.dtypes.tolist()] == [
            str(dtype) for dtype in wanted.dtypes.tolist()
        ]
    else:
        assert str(got.dtype) == str(wanted.dtype)
        assert got.name == wanted.name
    got, wanted = got.to_pandas(), wanted.to_pandas()
    if order == "values":
        got, wanted = (one.reset_index(drop=True) for one in (got, wanted))
        by = {"by": list(wanted.columns)} if isinstance(wanted, pd.DataFrame) else {}
        got, wanted = (one.sort_values(**by).reset_index(drop=True) for one in (got, wanted))
    elif order == "labels":
        got, wanted = got.sort_index(), wanted.sort_index()
    check = (
        pd.testing.assert_frame_equal if isinstance(wanted, pd.DataFrame) else pd.testing.assert_series_equal
    )
    # Categories may come in the order in which partitions have met.
    check(got, wanted, check_categorical=False, rtol=1e-9)
    return True


# Programs that are the same for a collection and for one frame.
PLAIN = {
    "filter": lambda d, o: d[d.x > 1e6][["k", "s"]],
    "assign": lambda d, o: d.assign(q=d.x * 2 + d.i),
    "query": lambda d, o: d.query("x > 0 and k < 5"),
    "shift": lambda d, o: d.x.shift(1),
    "diff": lambda d, o: d.i.diff(),
    "cumsum": lambda d, o: d.i.cumsum(),
    "rolling": lambda d, o: d.x.rolling(3).mean(),
    "ffill": lambda d, o: d.x.ffill(),
    "fillna": lambda d, o: d.x.fillna(0),
    "dropna": lambda d, o: d.dropna(),
    "text": lambda d, o: d.s.str.upper(),
    "times": lambda d, o: d.z.dt.hour,
    "codes": lambda d, o: d.c.cat.codes,
    "loc": lambda d, o: d.loc[100:300],
    "isin": lambda d, o: d[d.k.isin([1, 2])],
    "melt": lambda d, o: d.melt(id_vars=["k"], value_vars=["x", "i"]),
    "merge": lambda d, o: d.merge(o, on="k"),
    "merge left": lambda d, o: d.merge(o, on="k", how="left"),
    "merge right": lambda d, o: d.merge(o, on="k", how="right"),
    "merge outer": lambda d, o: d.merge(o, on="k", how="outer"),
    "merge index": lambda d, o: d.merge(o.set_index("k"), left_on="k", right_index=True),
    "drop_duplicates": lambda d, o: d[["k", "s"]].drop_duplicates(),
    "value_counts": lambda d, o: d.s.value_counts(),
    "value_counts share": lambda d, o: d.k.value_counts(normalize=True),
    "value_counts categories": lambda d, o: d.c.value_counts(),
    "nlargest": lambda d, o: d.nlargest(5, "x"),
    "var": lambda d, o: d.x.var(),
    "std": lambda d, o: d.x.std(),
    "nunique": lambda d, o: d.s.nunique(),
    "idxmax": lambda d, o: d.x.idxmax(),
    "corr": lambda d, o: d[["x", "i", "k"]].corr(),
    "sum": lambda d, o: d[["x", "i"]].sum(),
    "groupby frame": lambda d, o: d.groupby("k")[["x", "i"]].sum(),
    "groupby agg": lambda d, o: d.groupby("k").agg({"x": ["sum", "mean", "std", "var"], "i": "max"}),
    "groupby keys": lambda d, o: d.groupby(["k", "s"]).agg({"x": "mean", "i": ["min", "count"]}),
    "groupby named": lambda d, o: d.groupby("s").agg(a=("x", "var"), b=("i", "first")),
    "groupby series": lambda d, o: d.groupby("k").x.agg(["sum", "var", "count"]),
    "groupby missing": lambda d, o: d.groupby("s").x.mean(),
    "groupby missing kept": lambda d, o: d.groupby("s", dropna=False).x.sum(),
    "groupby categories": lambda d, o: d.groupby("c", observed=True).x.mean(),
    "groupby value_counts": lambda d, o: d.groupby("k").s.value_counts(),
    "groupby cumsum": lambda d, o: d.groupby("k").i.cumsum(),
} | {
    f"groupby {name}": lambda d, o, name=name: getattr(d.groupby("k").x, name)()
    for name in ("sum", "mean", "min", "max", "count", "var", "std", "prod", "nunique", "median")
}
BY_VALUES = {name for name in PLAIN if name.startswith(("merge", "melt", "drop_duplicates"))}


# Those that move partitions between processes are run on a cluster, too.
MOVING = [
    "merge",
    "merge outer",
    "value_counts",
    "corr",
    "groupby agg",
    "groupby named",
    "groupby median",
    "rolling",
]


@pytest.mark.parametrize("name", PLAIN)
def test_like_one_frame(name, parts):
    program = PLAIN[name]
    got = program(*parts).compute(scheduler="sync")
    assert same(got, program(FRAME, OTHER), "values" if name in BY_VALUES else "labels")


@pytest.mark.parametrize("name", MOVING)
def test_like_one_frame_on_a_cluster(name, parts, cluster):
    program = PLAIN[name]
    got = cluster.compute(program(*parts)).result(60)
    assert same(got, program(FRAME, OTHER), "values" if name in BY_VALUES else "labels")


SHUFFLES = {
    "shuffle": (lambda d, o, m: d.shuffle("k", shuffle_method=m), lambda d, o: d),
    "shuffle keys": (lambda d, o, m: d.shuffle(["k", "s"], npartitions=7, shuffle_method=m), lambda d, o: d),
    "sort": (lambda d, o, m: d.sort_values("x", shuffle_method=m), lambda d, o: d.sort_values("x")),
    "sort text": (
        lambda d, o, m: d.sort_values(["s", "t"], shuffle_method=m),
        lambda d, o: d.sort_values(["s", "t"]),
    ),
    "sort times": (
        lambda d, o, m: d.sort_values(["z", "x"], ascending=False, shuffle_method=m)[["z", "x"]],
        lambda d, o: d.sort_values(["z", "x"], ascending=False)[["z", "x"]],
    ),
    "sort categories": (
        lambda d, o, m: d.sort_values(["c", "t", "x"], shuffle_method=m),
        lambda d, o: d.sort_values(["c", "t", "x"]),
    ),
    "set_index": (lambda d, o, m: d.set_index("i", shuffle_method=m).x, lambda d, o: d.set_index("i").x),
    "merge": (
        lambda d, o, m: d.merge(o, on="k", broadcast=False, shuffle_method=m),
        lambda d, o: d.merge(o, on="k"),
    ),
    "groupby": (
        lambda d, o, m: d.groupby("k").agg({"x": "std", "s": "count"}, split_out=2, shuffle_method=m),
        lambda d, o: d.groupby("k").agg({"x": "std", "s": "count"}),
    ),
}


@pytest.mark.parametrize("method", ["tasks", "disk", "p2p"])
@pytest.mark.parametrize("name", SHUFFLES)
def test_shuffles(name, method, parts, request):
    import dask

    program, oracle = SHUFFLES[name]
    if method == "p2p":
        got = request.getfixturevalue("cluster").compute(program(*parts, "p2p")).result(60)
    else:
        got = dask.compute(program(*parts, method), scheduler="sync")[0]
    order = (
        "as they come"
        if name.startswith("sort ")
        else "values"
        if name in ("merge", "set_index")
        else "labels"
    )
    assert same(got, oracle(FRAME, OTHER), order)


def test_variances_keep_their_digits():
    """Sums of squares would lose all of them."""
    frame = cuprum.DataFrame({"k": [0, 1] * 500, "x": [1e9 + i % 7 for i in range(1000)]})
    parts = dd.from_pandas(frame, npartitions=5)
    for ask in (lambda f: f.groupby("k").x.var(), lambda f: f.groupby("k").agg({"x": "var"}).x):
        got, wanted = ask(parts).compute(scheduler="sync").sort_index(), ask(frame).sort_index()
        assert got.to_list() == pytest.approx(wanted.to_list(), rel=1e-9)


def test_rows_with_equal_keys_meet():
    parts = dd.from_pandas(FRAME, npartitions=4).shuffle("s", npartitions=3, shuffle_method="tasks")
    found = [
        set(one.s.to_list()) for one in (parts.get_partition(i).compute(scheduler="sync") for i in range(3))
    ]
    assert sum(map(len, found)) == len(set().union(*found))


def test_repartition(parts):
    d, _ = parts
    for changed in (
        d.repartition(npartitions=2),
        d.repartition(npartitions=9),
        d.repartition(divisions=[0, 99, 599]),
    ):
        assert same(changed.compute(scheduler="sync"), FRAME, "as they come")


def test_categories():
    parts = dd.from_pandas(FRAME, npartitions=3)
    assert parts.c.cat.known
    assert list(parts.c.cat.categories) == ["w", "v", "u"]
    known = parts.categorize(columns=["s"]).compute(scheduler="sync")
    assert known.s.astype("str").to_list() == FRAME.s.to_list()
    one = cuprum.DataFrame({"c": cuprum.Series(["a", "b"]).astype("category")})
    two = cuprum.DataFrame({"c": cuprum.Series(["c", "b"]).astype("category")})
    both = dd.concat([dd.from_pandas(one, npartitions=1), dd.from_pandas(two, npartitions=1)]).compute(
        scheduler="sync"
    )
    assert isinstance(both.c.dtype, cuprum.CategoricalDtype)
    assert both.c.astype("str").to_list() == ["a", "b", "c", "b"]
