"""What Dask computes of partitions is what one frame gives, labels and dtypes too."""

import dask.dataframe as dd
import pandas as pd
import pytest
from sample_frames import table

import cuprum
from cuprum.core.row_hashes import row_hashes

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


def _library(data):
    return cuprum if isinstance(data, (cuprum.DataFrame, cuprum.Series)) else dd


def _dummies(data):
    return _library(data).get_dummies


def _concat(data):
    return _library(data).concat


def _meta(data, **named):
    return {} if _library(data) is cuprum else {"meta": next(iter(named.items()))}


def _split(data):
    return {} if _library(data) is cuprum else {"split_out": 3}


def _by_time(data):
    frame = data.assign(t=cuprum.Timestamp("2020-01-01") + _library(data).to_timedelta(data.k, unit="D"))
    return frame.sort_values("t").set_index("t", **({} if _library(data) is cuprum else {"sorted": True})).x


# Programs that are the same for a collection and for one frame.
PLAIN = {
    "filter": lambda d, o: d[d.x > 1e6][["k", "s"]],
    "assign": lambda d, o: d.assign(q=d.x * 2 + d.i),
    "query": lambda d, o: d.query("x > 0 and k < 5"),
    "shift": lambda d, o: d.x.shift(1),
    "diff": lambda d, o: d.i.diff(),
    "cumsum": lambda d, o: d.i.cumsum(),
    "rolling": lambda d, o: d.x.rolling(3).mean(),
    "windows with weights": lambda d, o: d.x.rolling(3, win_type="triang").mean(),
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
    "cumsum frame": lambda d, o: d[["x", "i", "k"]].cumsum(),
    "cummax frame": lambda d, o: d[["x", "i"]].cummax(skipna=False),
    "cumprod frame": lambda d, o: (d[["k", "i"]] * 0 + 1).cumprod(),
    "isin frame": lambda d, o: d[["k", "i"]].isin([1, 2]),
    "nunique frame": lambda d, o: d[["k", "s", "i"]].nunique(),
    "explode": lambda d, o: d.assign(s=d.s.str.split("")).explode("s").s,
    "clip": lambda d, o: d[["x", "i"]].clip(0, 2),
    "map": lambda d, o: d.k.map({1: 10, 2: 20}, **_meta(d, k="int64")),
    "where": lambda d, o: d.x.where(d.i > 0, -1.0),
    "describe text": lambda d, o: d[["s"]].fillna("ä").describe(),
    "select_dtypes": lambda d, o: d.select_dtypes("category"),
    "concat frame and series": lambda d, o: _concat(d)([d[["x"]], d.i.rename("x") * 1.0]),
    "drop_duplicates split": lambda d, o: d[["k", "s"]].drop_duplicates(**_split(d)),
    "get_dummies": lambda d, o: _dummies(d)(d[["c", "x"]], drop_first=True),
    "get_dummies series": lambda d, o: _dummies(d)(d.c),
    "merge_asof": lambda d, o: _library(d).merge_asof(
        d[["i"]].reset_index(), o.assign(at=o.k * 20)[["at", "y"]], left_on="index", right_on="at"
    )[["index", "i", "y"]],
    "to_numeric": lambda d, o: _library(d).to_numeric(d.i.astype("str")),
    "to_timedelta": lambda d, o: _library(d).to_timedelta(d.i, unit="s"),
    "loc part of a date": lambda d, o: _by_time(d).loc["2020-01-03"],
    "groupby column of its own": lambda d, o: d.groupby(d.k % 3).x.sum(),
    "groupby series by another": lambda d, o: d.x.groupby(d.i > 0).mean(),
    "groupby two of its own": lambda d, o: d.groupby(["k", d.i > 0])[["x"]].max(),
    "groupby head": lambda d, o: d.groupby("k")[["x", "s"]].head(2),
    "groupby tail": lambda d, o: d.groupby(["k", "s"]).x.tail(1),
    "groupby idxmax": lambda d, o: d.groupby("k").x.idxmax(),
    "groupby idxmin": lambda d, o: d.groupby(["k", "s"])[["i", "x"]].idxmin(),
    "groupby idxmin categories": lambda d, o: d.groupby("c", observed=True).x.idxmin(),
    "groupby idxmin missing": lambda d, o: d.groupby("s", dropna=False).x.idxmin(),
    "groupby cov": lambda d, o: d.groupby("k")[["x", "i"]].cov(),
    "groupby cov ddof": lambda d, o: d.groupby(["k", "s"])[["x", "i"]].cov(ddof=0),
    "groupby corr": lambda d, o: d.groupby("i")[["x", "k"]].corr(),
    "groupby ffill": lambda d, o: d.groupby("k").x.ffill(),
    "groupby bfill": lambda d, o: d.groupby(["k", "s"])[["x"]].bfill(),
    "groupby shift": lambda d, o: d.groupby("k").x.shift(1, **_meta(d, x="float64")),
} | {
    f"groupby {name}": lambda d, o, name=name: getattr(d.groupby("k").x, name)()
    for name in ("sum", "mean", "min", "max", "count", "var", "std", "prod", "nunique", "median")
}
BY_VALUES = {
    name
    for name in PLAIN
    if name.startswith(("merge", "melt", "drop_duplicates", "concat", "loc part", "explode"))
}


# Those that move partitions between processes are run on a cluster, too.
MOVING = [
    "merge",
    "merge outer",
    "value_counts",
    "corr",
    "groupby agg",
    "groupby named",
    "groupby median",
    "groupby idxmax",
    "groupby corr",
    "groupby head",
    "cumsum frame",
    "rolling",
]


@pytest.mark.parametrize("name", PLAIN)
def test_like_one_frame(name, parts):
    program = PLAIN[name]
    got = program(*parts).compute(scheduler="sync")
    assert same(got, program(FRAME, OTHER), "values" if name in BY_VALUES else "labels")


def test_summaries_are_objects(parts):
    got = parts[0].s.fillna("ä").describe().compute(scheduler="sync")
    assert got.dtype == "object"
    assert got.to_dict() == FRAME.s.fillna("ä").describe().to_dict()
    times = pd.Series(pd.to_datetime(["2020-01-01", None, "2021-05-06"]), name="t")
    for one in (times, times - times[0]):
        got = dd.from_pandas(cuprum.DataFrame({"t": one}), npartitions=2).t.describe()
        got, wanted = got.compute(scheduler="sync"), one.describe()
        assert got.dtype == "object"
        for label in ("count", "min", "max"):
            assert got[label] == wanted[label]


def test_periods():
    times = pd.Series(pd.to_datetime(["2020-01-01", None, "2021-05-06"]), name="t")
    got = dd.from_pandas(cuprum.DataFrame({"t": times}), npartitions=2).t.dt.to_period("M")
    assert str(got.dtype) == "period[M]"
    wanted = times.dt.to_period("M")
    pd.testing.assert_series_equal(got.compute(scheduler="sync").to_pandas(), wanted)


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


def test_distinct_values_of_groups(parts):
    d, _ = parts
    for program in (lambda f: f.groupby("k").s, lambda f: f.groupby(["k", "c"], observed=True).i):
        got, wanted = program(d).unique().compute(scheduler="sync"), program(FRAME).unique()
        got, wanted = got.to_pandas().sort_index(), wanted.to_pandas().sort_index()
        assert got.index.equals(wanted.index)
        assert [list(map(str, one)) for one in got] == [list(map(str, one)) for one in wanted]


def test_pivot_table(parts):
    d, _ = parts
    for how in ("sum", "mean", "count", "first", "last"):
        got = d.pivot_table(index="k", columns="c", values="i", aggfunc=how).compute(scheduler="sync")
        wanted = pd.pivot_table(
            FRAME.to_pandas(), index="k", columns="c", values="i", aggfunc=how, observed=False
        )
        pd.testing.assert_frame_equal(got.to_pandas().sort_index(), wanted, check_dtype=False)


def test_own_aggregations(parts):
    """What users write as `dd.Aggregation` runs on groups of ours."""
    mean = dd.Aggregation(
        "own", lambda s: (s.count(), s.sum()), lambda n, t: (n.sum(), t.sum()), lambda n, t: t / n
    )
    total = dd.Aggregation("total", lambda s: s.sum(), lambda s: s.sum())
    d, _ = parts
    assert same(
        d.groupby("k").agg({"i": total}).compute(scheduler="sync"), FRAME.groupby("k").agg({"i": "sum"})
    )
    got = d.groupby("k").agg({"x": mean}).compute(scheduler="sync")
    assert same(got, FRAME.groupby("k").agg({"x": "mean"}))


def test_categories_as_row_labels(parts):
    d, _ = parts
    got = d.set_index("c")[["k"]].compute(scheduler="sync")
    assert got.index.astype("str").to_list() == FRAME.sort_values("c").c.astype("str").to_list()
    assert sorted(got.k.to_list()) == sorted(FRAME.k.to_list())
    with pytest.raises(NotImplementedError, match="`divisions` cannot be given"):
        d.set_index("c", divisions=["w", "v", "u"])
    with pytest.raises(NotImplementedError, match="categories are not known"):
        d.astype({"s": "category"}).set_index("s")


@pytest.mark.parametrize("where", ["first", "last"])
def test_missing_keys_are_sorted_to_one_end(where, parts):
    d, _ = parts
    order = {"by": ["x", "t"], "na_position": where}
    assert same(d.sort_values(**order).compute(scheduler="sync"), FRAME.sort_values(**order), "as they come")
    # In order but for what is missing: partitions are not taken for sorted.
    frame = cuprum.DataFrame({"x": [0.0, None, 2.0, 3.0, 4.0, 5.0]})
    got = dd.from_pandas(frame, npartitions=3).sort_values("x", na_position=where)
    assert same(got.compute(scheduler="sync"), frame.sort_values("x", na_position=where), "as they come")


def test_reductions_of_unlike_columns(parts):
    """The result has an element of its own type for each column, as that of one frame."""
    d, _ = parts
    got, wanted = d[["i", "t", "x"]].max().compute(scheduler="sync"), FRAME[["i", "t", "x"]].max()
    assert got.to_list() == wanted.to_list()
    assert list(got.index) == ["i", "t", "x"]


def test_bytes_are_those_of_the_own_rows(parts):
    d, _ = parts
    assert 600 * 8 <= d.x.nbytes.compute(scheduler="sync") < 600 * 8 * 1.2
    each = d.memory_usage_per_partition().compute(scheduler="sync").to_list()
    assert len(each) == 4
    assert sum(each) == d.memory_usage().sum().compute(scheduler="sync")


REFUSED = {
    "cov of text": (lambda d: d.groupby("k")[["s", "x"]].cov(), TypeError, "the columns .'s'. have none"),
    "extremes with missing": (
        lambda d: d.groupby("k").x.idxmin(skipna=False),
        NotImplementedError,
        "`skipna`",
    ),
    "filling by way of files": (
        lambda d: d.groupby("k").x.ffill(shuffle_method="disk").compute(scheduler="sync"),
        NotImplementedError,
        "`shuffle_method` is 'disk'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, parts):
    program, kind, message = REFUSED[name]
    with pytest.raises(kind, match=message):
        program(parts[0])


def test_extremes_of_groups_without_values(parts):
    frame = cuprum.DataFrame({"k": [1, 2, 1, 2], "x": [None, 1.0, None, 2.0]})
    made = dd.from_pandas(frame, npartitions=2).groupby("k").x.idxmax()
    with pytest.raises(ValueError, match="encountered all NA values in a group"):
        made.compute(scheduler="sync")


MIXED = {
    "arithmetic": lambda a, b: a.x + b.x,
    "arithmetic of frames": lambda a, b: a[["x"]].add(b[["x"]]),
    "comparison": lambda a, b: a[["x"]] > b[["x"]],
    "filter": lambda a, b: a[b.k > 3],
    "assign": lambda a, b: a.assign(q=b.x),
    "where": lambda a, b: a.x.where(b.k > 3),
    "groupby": lambda a, b: a.groupby(b.k).x.sum(),
    "merge": lambda a, b: a.merge(b, on="k"),
    "join": lambda a, b: a[["x"]].join(b[["k"]]),
    "merge_asof": lambda a, b: dd.merge_asof(a, b, left_index=True, right_index=True),
    "concat": lambda a, b: dd.concat([a, b]),
    "concat columns": lambda a, b: dd.concat([a, b], axis=1),
}


@pytest.mark.parametrize("ours_first", [True, False])
@pytest.mark.parametrize("name", MIXED)
def test_backends_are_not_mixed(name, ours_first, parts):
    ours = parts[0][["k", "x"]]
    theirs = dd.from_pandas(FRAME[["k", "x"]].to_pandas(), npartitions=4)
    pair = (ours, theirs) if ours_first else (theirs, ours)
    with pytest.raises(
        TypeError, match=r"of Cuprum and a .* of pandas: bring both to one backend with to_backend"
    ):
        MIXED[name](*pair)


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


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("na_position", ["first", "last"])
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "float64"])
def test_partitions_of_keys(dtype, ascending, na_position):
    """Few divisions are compared with all keys, many are searched: the same partitions as pandas' keys."""
    from dask.dataframe.dask_expr._shuffle import _SetPartitionsPreSetIndex
    from dask.dataframe.shuffle import set_partitions_pre

    keys = pd.Series([0, 1, 5, 9, 10, 11, 3, 9, 200]).astype(dtype)
    if dtype.startswith("float"):
        keys = pd.concat([keys, pd.Series([float("nan"), -1.5, -0.0, float("inf")]).astype(dtype)])
    for bounds in (
        pd.Series([1, 5, 9, 10]),
        pd.Series([0.5, 9.0]),
        pd.Series([3, 3, 4]),
        pd.Series(range(40)),
    ):
        for keys_of in (keys, keys.iloc[:0]):
            got = _SetPartitionsPreSetIndex.operation(
                cuprum.from_pandas(keys_of), cuprum.from_pandas(bounds), ascending, na_position
            )
            assert list(got) == list(set_partitions_pre(keys_of, bounds, ascending, na_position))


def _of_parts(parts):
    """A collection of frames whose columns may be stored in other ways."""
    return dd.from_map(lambda i: parts[i], range(len(parts)), meta=parts[0].iloc[:0])


def _keys_stored_in_two_ways():
    texts = [list("xyz"), list("zy")]
    times = [
        pd.to_datetime(["2024-01-01 00:00", "2024-01-02 00:00", "1960-01-01 05:00"]),
        pd.to_datetime(["1960-01-01 05:00", "2024-01-02 00:00"]),
    ]
    return {
        "categories": [cuprum.Series(part, dtype="category") for part in texts],
        "units": [cuprum.Series(part.as_unit(unit)) for part, unit in zip(times, ("s", "ns"), strict=True)],
        "widths": [cuprum.Series([1, -2, 0], dtype="int8"), cuprum.Series([0, -2], dtype="int64")],
    }


@pytest.mark.filterwarnings("ignore:Merging dataframes with merge column data type mismatches")
@pytest.mark.parametrize("case", ["categories", "units", "widths"])
def test_equal_keys_meet_however_partitions_store_them(case):
    keys = _keys_stored_in_two_ways()[case]
    parts = [cuprum.DataFrame({"k": key, "v": [1.0] * len(key)}) for key in keys]
    assert len({int(h) for part in parts for h in row_hashes(part[["k"]]).to_list()}) == 3
    ours = _of_parts(parts)
    sums = ours.groupby("k", observed=True).v.sum(split_out=3).compute()
    assert sorted(sums.to_list()) == [1.0, 2.0, 2.0]
    assert len(ours[["k"]].drop_duplicates(split_out=3).compute()) == 3
    other = cuprum.DataFrame({"k": keys[1], "w": [10.0, 20.0]})
    both = ours.merge(
        dd.from_pandas(other, npartitions=2), on="k", how="inner", shuffle_method="tasks"
    ).compute()
    assert len(both) == 4


def test_partitions_by_hash_take_values_not_codes():
    frames = [cuprum.DataFrame({"k": key}) for key in _keys_stored_in_two_ways()["categories"]]
    where = [
        {k: at for at, part in enumerate(frame.partition_by_hash(["k"], 5)) for k in part.k.to_list()}
        for frame in frames
    ]
    assert all(where[0][k] == where[1][k] for k in "yz")
    hashes = [dict(zip(frame.k.to_list(), frame.hash_values().to_list(), strict=True)) for frame in frames]
    assert all(hashes[0][k] == hashes[1][k] for k in "yz")
