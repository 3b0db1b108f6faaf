"""Columns of Python objects: what pandas makes objects, and what it does with them."""

import copy
import datetime as dt
import enum
import pickle
import uuid
from collections import Counter, OrderedDict, defaultdict, namedtuple

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

pytestmark = pytest.mark.filterwarnings("ignore")

MIXED = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None], "c": [1.5, np.nan, 2.5]})
OBJECTS = pd.DataFrame({"k": [1, 1, 2], "o": [1, "x", None], "v": [1.0, 2.0, 3.0]})
SERIES = pd.Series([1, "a", 2.5, None], index=list("wxyz"), name="s")


TYPES = pd.DataFrame({"n": [1, 2], "iv": pd.cut(pd.Series([1, 2]), 2), "c": pd.Categorical([1, 2])})


class Color(enum.Enum):
    RED = 1
    BLUE = 2


Pair = namedtuple("Pair", "x y")
KNOWN = {"Color": Color, "Counter": Counter, "Pair": Pair}


# What becomes objects, and what is done with them: `df` has columns of unlike types, `ob` and `s` have objects.
CODES = [
    "df.T",
    "df.head(2).T",
    'df.describe(include="all")',
    'df.describe(include="all").T',
    "df.iloc[0]",
    "df.iloc[0].to_frame()",
    "df.iloc[0].to_frame().T",
    'df.fillna("")',
    "df.melt()",
    'df.melt(id_vars="a")',
    "df.stack()",
    "df.dtypes",
    'lib.DataFrame({"dtype": df.dtypes})',
    'df.dtypes.to_frame("t")',
    'df.dtypes[df.dtypes == "float64"]',
    "df.dtypes == object",
    "s",
    "s.isna()",
    "s.dropna()",
    "s.map(type)",
    "s.map(str)",
    "s.apply(lambda v: v)",
    's == "a"',
    "s != 1",
    "s.astype(str)",
    "s.to_list()",
    "s.tolist()",
    's["x"]',
    "s.x",
    's.loc[["x","w"]]',
    "s.iloc[1:3]",
    "s[::-1]",
    "s.sort_index(ascending=False)",
    "s.value_counts()",
    "s.unique()",
    "s.nunique()",
    "s.fillna(0)",
    's.fillna("missing")',
    "s.str.upper()",
    "s.shift(1)",
    's.reindex(["w","q"])',
    "s.head(2)",
    "s.to_dict()",
    's.isin([1,"a"])',
    's.replace("a", "b")',
    "s.duplicated()",
    "s.drop_duplicates()",
    "s.where(s.isna(), 5)",
    "s.count()",
    "s.describe()",
    "s.mode()",
    "s.to_frame()",
    "s.reset_index()",
    "s.values",
    "s.to_numpy()",
    "s + s",
    "s * 2",
    "s.equals(s.copy())",
    "s.iloc[0]",
    "s.to_json()",
    "s.ffill()",
    "s.bfill()",
    "s.combine_first(s)",
    "s.convert_dtypes()",
    "s.infer_objects()",
    "s.iloc[[0,2]].astype(float)",
    's.iloc[[0,2]].astype("float64").sum()',
    "ob",
    "ob.dtypes",
    "ob.T",
    'ob.sort_values("v", ascending=False)',
    'ob.sort_values("k", ascending=False)',
    'ob.groupby("k")["v"].sum()',
    'ob.groupby("k").v.mean()',
    'ob.groupby("k").size()',
    'ob.groupby("k")["o"].count()',
    'ob.groupby("k")["o"].first()',
    'ob.groupby("k").agg({"v":"sum","o":"count"})',
    'ob.groupby("k")["o"].apply(list)',
    'ob.groupby("k").head(1)',
    'ob.groupby("o")["v"].sum()',
    'ob.groupby("o", sort=False).v.sum()',
    'ob.groupby("o", sort=False).v.rolling(1).sum()',
    "ob.v.groupby(ob.o, sort=False).max()",
    'ob.groupby("k")["o"].nunique()',
    'ob.merge(lib.DataFrame({"k":[1,2],"z":["p","q"]}), on="k")',
    'ob.merge(lib.DataFrame({"k":[1,2],"z":["p",3]}), on="k", how="left")',
    "ob.drop_duplicates()",
    'ob.drop_duplicates(subset="k")',
    "ob[ob.v > 1]",
    'ob[ob.o == "x"]',
    'ob[["o"]]',
    "ob.o",
    'ob["o"].map(lambda v: v)',
    "ob.isna()",
    "ob.dropna()",
    "ob.fillna(0)",
    'ob.fillna({"o": "u"})',
    'ob.replace("x", "y")',
    'ob.astype({"o": str})',
    "ob.astype(str)",
    'ob.set_index("k")',
    'ob.set_index("o")',
    "ob.reset_index()",
    'ob.rename(columns={"o":"p"})',
    "ob.assign(w=ob.v*2)",
    'ob.assign(w=[1,"q",3])',
    'ob.drop(columns="o")',
    'ob.select_dtypes("object")',
    'ob.select_dtypes(include="number")',
    'ob.select_dtypes(exclude="object")',
    'ob.to_dict("records")',
    'ob.to_dict("list")',
    "ob.to_dict()",
    "ob.to_csv(index=False)",
    'ob.to_json(orient="records")',
    "ob.to_string()",
    "[r.to_dict() for _, r in ob.iterrows()]",
    'ob.apply(lambda r: r["o"], axis=1)',
    "ob.apply(lambda c: c.iloc[0])",
    "ob.map(str)",
    "ob.count()",
    "ob.nunique()",
    "ob.describe()",
    'ob.describe(include="all")',
    "ob.shape",
    "ob.equals(ob.copy())",
    "ob.iloc[1]",
    'ob.loc[1, "o"]',
    'ob.at[1, "o"]',
    "ob.iat[1, 1]",
    'ob.query("v > 1")',
    "ob.head(1)",
    "ob.sample(2, random_state=1).shape",
    "ob.mean(numeric_only=True)",
    "ob.sum(numeric_only=True)",
    "ob.isin([1])",
    'ob.pivot(index="v", columns="k", values="o")',
    'ob.melt(id_vars="k")',
    "ob.stack()",
    'ob.explode("o")',
    'ob.nlargest(2, "v")',
    "ob.duplicated()",
    "ob.corr(numeric_only=True)",
    "lib.concat([ob, ob])",
    "lib.concat([ob, ob], ignore_index=True)",
    "lib.concat([df.a, df.b])",
    "lib.concat([df.a, df.b], ignore_index=True)",
    'lib.concat([lib.DataFrame({"x":[1]}), lib.DataFrame({"x":["a"]})])',
    "lib.concat([ob, df], axis=1)",
    'lib.Series([1,"a"])',
    "lib.Series([True, 1])",
    "lib.Series([(1,2),(3,4)])",
    "lib.Series([{1,2},{3}])",
    'lib.Series([1, 2.5, "x"], dtype=object)',
    "lib.Series([1, 2, 3], dtype=object)",
    "lib.Series([1, 2, 3]).astype(object)",
    "lib.Series([1.5, None]).astype(object)",
    'lib.Series(["a", "b"]).map({"a": 1, "b": "x"})',
    'lib.Series([1,2,3]).map(lambda v: v if v > 1 else "one")',
    "lib.Series([1,2,3]).apply(lambda v: (v, v))",
    'lib.Series([1,2,3]).replace(2, "two")',
    'lib.Series([1,2,None]).fillna("none")',
    'lib.Series([1,2,3]).where(lambda v: v > 1, "small")',
    'lib.DataFrame([[1,"a"],["b",2]])',
    'lib.DataFrame([{"a":1,"b":"x"},{"a":"y","b":2}])',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).apply(lambda r: r["a"] if r["a"] > 1 else r["b"], axis=1)',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).iloc[0].tolist()',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).iloc[0] == "x"',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).agg(["count","nunique"])',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).agg(["min","max"])',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).max()',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).mode()',
    'lib.DataFrame({"a":[1,2],"b":["x","y"]}).unstack()',
    "type(df.iloc[0]).__name__",
    "lib.Series([1,'a',None]).map({1:2,'a':'z'})",
    "lib.Series([1,'a',None]).map(lambda v: v, na_action='ignore')",
    "lib.Series([1,2,'a']).map(str)",
    "lib.Series([(1,2),(3,4)]).map(lambda t: t[0])",
    "lib.Series([(1,2),(3,4)]).str[0]",
    "lib.Series([(1,2),(3,4)]).apply(lib.Series)",
    "lib.Series([(1,2),(3,4)]).explode()",
    "lib.Series([[1,'a'],[2]]).explode()",
    "lib.DataFrame({'k':[1,2],'o':[[1,'a'],[2]]}).explode('o')",
    "lib.Series([(1,2),(3,4)]).isin([(1,2)])",
    "lib.Series([(1,2),(1,2)]).nunique()",
    "lib.Series([(1,2),(1,2)]).value_counts()",
    "lib.DataFrame(lib.Series([(1,2),(3,4)]).tolist(), columns=['a','b'])",
    "lib.DataFrame([{'a':{'x':1}},{'a':{'y':2}}])['a'].tolist()",
    "lib.DataFrame({'d':[{'x':1},{'x':2}]})['d'].tolist()",
    "lib.Series([{'b': 1},None]).isna()",
    "lib.DataFrame({'a':[1,2]}).assign(t=lambda d: list(zip(d.a,d.a)))",
    "lib.Series(['x',1]).sort_values(key=lambda s: s.map(str))",
    "lib.Series([2,1.5,'3']).astype(float).sum()",
    "lib.to_numeric(lib.Series(['1',2,'x']), errors='coerce')",
    "lib.to_datetime(lib.Series(['2020-01-01', 5]), errors='coerce')",
    "lib.Series([1,'a']).groupby([0,0]).count()",
    "lib.Series([1,'a',1]).groupby([0,1,0]).first()",
    "lib.isna(lib.Series([None,1,'a']))",
    "lib.notna(lib.Series([None,1,'a']))",
    "lib.unique(lib.Series([1,'a',1]))",
    "lib.factorize(lib.Series([1,'a',1]))",
    "lib.get_dummies(lib.Series([1,'a',1]))",
    "lib.crosstab(lib.Series([1,'a',1]), lib.Series(['x','y','x']))",
    "lib.concat([lib.Series([1,'a']), lib.Series([2.5])])",
    "lib.concat([lib.Series(['a']), lib.Series([2.5])], axis=1).T",
    "lib.merge(lib.DataFrame({'k':[1,'a'],'v':[1,2]}), lib.DataFrame({'k':['a',3],'w':[5,6]}), on='k')",
    "lib.DataFrame({'k':[1,'a'],'v':[1,2]}).merge(lib.DataFrame({'k':['a',3],'w':[5,6]}), on='k', how='outer')",
    "lib.cut(lib.Series([1,2,3],dtype=object).astype(int), 2)",
    "lib.DataFrame({'a':[1,'x']}).a.eq('x').sum()",
    "(lib.DataFrame({'a':[1,'x'],'b':[1,'y']}) == 1)",
    "lib.DataFrame({'a':[1,'x'],'b':[1,'y']}).isin([1])",
    "lib.DataFrame({'a':[1,'x'],'b':[2.5,3]}).iloc[0].tolist()",
    "lib.DataFrame({'a':[1,'x'],'b':[2.5,3]}).loc[1,'a']",
    "lib.DataFrame({'a':[1,'x'],'b':[2.5,3]}).apply(lambda r: str(r['a'])+str(r['b']), axis=1)",
    "lib.DataFrame({'a':[1,'x'],'b':[2.5,3]}).set_index('a').loc['x']",
    "lib.DataFrame({'a':[1,'x'],'b':[2.5,3]}).drop_duplicates().shape",
    "lib.DataFrame({'a':[1,'x',3],'b':[2.5,3,1]}).rolling(2)['b'].sum()",
    "lib.DataFrame({'a':[1,'x',3],'b':[2.5,3,1]}).nlargest(1,'b')",
    "lib.DataFrame({'a':[1,'x',3],'b':[2.5,3,1]}).sort_index(ascending=False)",
    "lib.DataFrame({'a':[1,'x',3],'b':[2.5,3,1]}).pivot_table(index='b',values='b',aggfunc='count')",
    "lib.DataFrame({'a':[None,'x',3],'b':[2.5,3,1]}).dropna(subset=['a'])",
    "lib.DataFrame({'a':[None,'x',3],'b':[2.5,3,1]}).groupby('b')['a'].agg(list)",
    "lib.DataFrame({'a':[None,'x',3],'b':[2.5,3,1]}).to_csv(index=False)",
    "lib.Series([1,'a']).to_frame('q').rename(columns={'q':'z'})",
    "lib.Series([1,'a'],index=['p','q']).to_frame().T",
    "lib.DataFrame([lib.Series([1,'a'],index=['p','q']), lib.Series([2,'b'],index=['p','q'])])",
    "lib.concat([lib.Series([1,'a'],index=['p','q']), lib.Series([2,'b'],index=['p','q'])], axis=1)",
    "lib.Series([1,-2],dtype=object).abs()",
    "-lib.Series([1,-2],dtype=object)",
    "lib.Series([1,-2],dtype=object) > 0",
    "lib.Series([1,-2],dtype=object).sum()",
    "lib.Series([1,-2],dtype=object).mean()",
    "lib.Series([3,1,2],dtype=object).sort_values()",
    "lib.Series([3,1,2],dtype=object).max()",
    "lib.Series([3,1,2],dtype=object).rank()",
    "lib.Series([True,False,None],dtype=object).fillna(False)",
    "lib.Series([1,2,3],dtype=object).astype(int)",
    "lib.Series([1,2,3],dtype=object).infer_objects()",
    "lib.Series([1,'a']).copy().tolist()",
    "lib.DataFrame({'x':[1,'a',None,2.25,float('nan')], 'y':list('abcde')}).to_string(na_rep='-')",
    "lib.DataFrame({'x':[1,'a']*100})",
    "lib.Series([1,'a']*100)",
    "lib.DataFrame({'x':['long'*30, 1]})",
    "lib.DataFrame({'x':[-1.5,'a', 3]})",
    "lib.Series(['a\\nb', 1])",
    # Labels that are objects.
    "s.map(type).value_counts().to_dict()",
    "lib.Series([Color.RED, Color.BLUE, Color.RED]).value_counts().tolist()",
    "lib.DataFrame({'t': [int, str, int]}).groupby('t', sort=False).size().tolist()",
    "lib.DataFrame({'t': [int, str, int], 'v': [1, 2, 3]}).groupby('t', sort=False)['v'].sum().to_dict()",
    "list(lib.Index([1, 'a']).map(type))",
    "lib.Index([1, 2], dtype=object)",
    "lib.Index([], dtype=object)",
    "lib.Index([1, 'a'], dtype=object)",
    "lib.Index([1, 2], dtype=object).map(str).tolist()",
    # Dtypes of categories, also of what has an order of its own.
    "types.dtypes == 'category'",
    "types.dtypes.astype(str)",
    "types.columns[types.dtypes == 'category']",
    "types.dtypes.value_counts().tolist()",
    "lib.Series([], dtype=types['iv'].dtype).isna()",
    "lib.Series([None, None], dtype=types['iv'].dtype).isna()",
    # One object for all rows.
    "df.assign(o=Color.RED)['o'].tolist()",
    "df.assign(o=1 + 2j)['o'].tolist()",
    "lib.Series(Color.RED, index=[1, 2]).tolist()",
    "lib.DataFrame({'a': [1, 2], 'o': Color.RED})['o'].tolist()",
    "lib.Series(5, index=[1, 2], dtype=object)",
    # Lists, which are objects to operators of Python.
    "lib.Series([['a'], ['b', 'c']]).sum()",
    "lib.Series([[1, 2], [3]]).max()",
    "lib.Series([[1, 2], [3]]).min()",
    "lib.DataFrame({'a': [['a'], ['b']], 'n': [1, 2]}).sum()",
    # Keys that are objects.
    "v.groupby(lib.Series([1, 'a', 1])).sum().tolist()",
    "v.to_frame().groupby([lib.Series([1, 'a', 1])])['v'].sum().tolist()",
    "v.to_frame().groupby(lib.Series([(1, 2), (3, 4), (1, 2)]))['v'].sum().tolist()",
    # What nothing says the type of.
    "lib.DataFrame(columns=['x', 'y'])",
    "lib.DataFrame(index=[1, 2], columns=['x', 'y'])",
    "lib.DataFrame({'a': [1, 2]}, columns=['a', 'b'])",
    "lib.DataFrame({'a': [None, None]})",
    "lib.DataFrame({'a': []})",
    "lib.DataFrame([], columns=['a'])",
    "lib.DataFrame({'a': [1, 2]}).assign(b=None)",
    "lib.Series([])",
    "lib.Series({})",
    "lib.Series([], dtype=object)",
    "lib.Series([None, None])",
    "lib.Series([np.nan, np.nan])",
    "lib.Series(index=[1, 2])",
    "lib.Series(np.array([None, None]))",
    "lib.Series([None, None], dtype=object)",
    "lib.Series([None, None]).fillna(0).tolist()",
    "lib.Series([None, None]).astype(float)",
    "lib.concat([lib.Series([]), lib.Series([1, 2])]).tolist()",
    "lib.concat([lib.DataFrame(columns=['v']), v.to_frame()])['v'].tolist()",
    "lib.DataFrame(columns=['v']).merge(v.to_frame(), how='outer')['v'].tolist()",
    # Beside numbers, as keys and as labels.
    "v.add(lib.Series([]))",
    "v.sub(lib.Series([1, 2.5, 4], dtype=object))",
    "v.to_frame().add(lib.DataFrame({'v': [1, 'a', 2]}).iloc[[0, 2]])['v'].isna()",
    "v.eq(lib.Series([1, 'a', None]))",
    "df == df.iloc[0]",
    "df.eq(df.iloc[0])",
    "df.ne(df.iloc[0])",
    "df.eq(lib.Series([1, 'x', None]), axis=0)",
    "df.eq(lib.DataFrame({'a': [1, 'x', 3], 'b': ['x', 'q', 'r'], 'c': [1, 2, 2.5]}))",
    "v.to_frame() == lib.DataFrame({'v': [1, 'x', 3]})",
    "v.corr(lib.Series([None, None, None]))",
    "v.cov(lib.Series([1, 2.5, 4], dtype=object))",
    "v.loc[lib.Series([])].tolist()",
    "v.loc[lib.Series([0, 2], dtype=object)].tolist()",
    "lib.Series([1, 2], index=lib.Series([None, None])).index.isna().tolist()",
    "lib.Series([1, 2], index=lib.Series(['a', 1]))",
    "lib.Series([1, 2], index=['a', 1]).reindex(lib.Series([1, 'a']))",
    "lib.to_datetime([None, None])",
    "lib.to_datetime([])",
    "lib.to_datetime([None, None], format='%Y')",
    "lib.to_datetime(lib.Series([None, None]), format='%Y')",
    "lib.to_datetime(None, format='%Y', errors='coerce') is pd.NaT",
    "lib.to_timedelta([None])",
    "lib.to_numeric(lib.Series([None, None]))",
    # What functions return.
    "lib.Series([['a'], ['b', 'b']]).apply(Counter).tolist()",
    "lib.Series([1, 2]).map(lambda v: Pair(v, v)).tolist()",
    "lib.Series([1, 2]).map(lambda v: [(v, v)]).tolist()",
    "lib.DataFrame({'a': [1, 1, 2], 'b': list('xyz')}).groupby('a')['b'].agg(Counter).tolist()",
]


@pytest.mark.parametrize("code", CODES)
def test_objects_are_as_in_pandas(code):
    def evaluated(lib, **frames):
        return eval(code, {"lib": lib, "np": np, "pd": pd, **KNOWN, **frames})

    agree(evaluated, df=MIXED, ob=OBJECTS, s=SERIES, types=TYPES, v=pd.Series([1, 2, 3], name="v"))


@pytest.mark.parametrize(
    "elements",
    [
        [1, "a", None, float("nan"), pd.NaT],
        [{1, 2}, frozenset()],
        [dt.time(1, 2), None],
        [Color.RED, Color.RED],
        [uuid.UUID(int=1)],
        [2**70, 1],
        [1 + 2j],
        [(1, 2), None, (3,)],
        [{"a": 1}, {"b": 2}],
        [{"a": {"x": 1}}, {"a": {"y": 1}}],
        [[{"a": 1}], [{"b": 2}]],
        [object, len],
        [Pair(1, 2), Pair(3, 4)],
        [[1], (2,)],
        [None, [(1, 2)], [(3, 4)]],
        [{"a": (1, 2)}, {"a": (3, 4)}],
        [{"a": None}, {"a": [(3, 4)]}],
        [Counter("a"), Counter("bb")],
        [OrderedDict(a=1), OrderedDict(a=2)],
        [[defaultdict(int, a=1)]],
        [float("nan"), {"a": 1}, {"b": 2}],
        [np.array([1, 2]), np.array([3])],
    ],
    ids=str,
)
def test_elements_stay_the_objects_that_they_are(elements):
    for series in (cuprum.Series(elements), cuprum.DataFrame({"x": elements})["x"]):
        assert series.dtype == object
        assert all(own is given for own, given in zip(series.to_list(), elements, strict=True))
        assert all(own is given for own, given in zip(series.to_numpy(), elements, strict=True))
        assert series.to_pandas().dtype == object
        assert series.iloc[::-1].to_list()[-1] is elements[0]
        assert series.isna().to_list() == pd.Series(elements, dtype=object).isna().to_list()


def test_what_has_objects_as_labels_is_pandas():
    counts = cuprum.Series([Color.RED, Color.BLUE, Color.RED]).value_counts()
    assert isinstance(counts, pd.Series) and counts[Color.RED] == 2


def test_the_class_follows_the_columns():
    frame = cuprum.DataFrame({"a": [1, 2]})
    plain = type(frame)
    frame["o"] = [1, "x"]
    assert type(frame) is not plain
    assert type(frame).__name__ == "DataFrame"
    assert isinstance(frame, cuprum.DataFrame)
    assert isinstance(frame.o, cuprum.Series)
    del frame["o"]
    assert type(frame) is plain
    frame.fillna("", inplace=True)
    assert type(frame) is plain
    frame["a"] = frame["a"].replace({1: None})
    assert type(frame) is not plain
    assert frame.a.to_list() == [None, 2]


@pytest.mark.parametrize("make", [lambda o: pickle.loads(pickle.dumps(o)), copy.copy, copy.deepcopy])
def test_copies_and_pickles(make):
    for ours, theirs in ((cuprum.DataFrame(OBJECTS), OBJECTS), (cuprum.Series(SERIES), SERIES)):
        made = make(ours)
        assert type(made) is type(ours)
        assert made.equals(ours)
        assert repr(made) == repr(theirs)


@pytest.mark.parametrize(
    "code",
    [
        "ob",
        "s",
        "lib.DataFrame({'x': [1, 'a'] * 100})",
        "lib.Series([1, 'a'] * 100)",
        "lib.DataFrame({'x': ['long' * 30, 1]})",
        "lib.DataFrame({'x': [-1.5, 'a', 3]})",
        "lib.Series(['a\\nb', 1])",
        "lib.Series([pd.NA, pd.NaT, None, float('nan'), 'x'])",
        "lib.DataFrame({'x': [(1, 2), {'a': 1}, [1, 'x'], 1e10, -0.5]})",
    ],
)
def test_objects_are_printed_as_in_pandas(code):
    for text in (repr, str):
        agree(
            lambda lib, ob, s: text(eval(code, {"lib": lib, "ob": ob, "s": s, "pd": pd})),
            ob=OBJECTS,
            s=SERIES,
        )


def test_objects_in_arrays():
    assert cuprum.DataFrame(OBJECTS).to_numpy().tolist() == OBJECTS.to_numpy().tolist()
    assert cuprum.DataFrame(MIXED).values.tolist()[0] == MIXED.values.tolist()[0]


def test_objects_are_printed_in_html():
    agree("ob.to_html()", ob=OBJECTS)
    agree("ob.to_string(na_rep='-')", ob=OBJECTS)


def test_rows_of_objects_move_on_every_device():
    for device in ("cpu", "emulator"):
        with cuprum.option_context("device", device):
            frame = cuprum.DataFrame(OBJECTS)
            moved = frame.sort_values("v", ascending=False)
            assert (str(moved.device), moved["o"].to_list()) == (device, [None, "x", 1])


@pytest.mark.parametrize(
    "code",
    [
        "f.apply(lib.Series.nunique)",
        "f.apply(lib.Series.nunique, axis=1)",
        "f.agg(lib.Series.nunique)",
        "f['a'].agg(lib.Series.nunique)",
        "f.groupby('k').agg(lib.Series.nunique)",
    ],
)
def test_methods_of_series_are_functions(code):
    agree(code, f=pd.DataFrame({"a": [1, "x", 1], "b": ["x", 2, "x"], "k": [1, 1, 2]}, dtype=object))


STAYS = pd.DataFrame(
    {"i": pd.to_datetime(["2024-01-01", "2024-02-01"]), "o": pd.to_datetime(["2024-01-03", "2024-02-02"])}
)


@pytest.mark.parametrize(
    "code",
    [
        "df.apply(lambda r: lib.date_range(r.i, r.o), axis=1).explode()",
        "df.apply(lambda r: lib.date_range(r.i, r.o), axis=1).map(len)",
        "df.assign(d=[lib.date_range(i, o) for i, o in zip(df.i, df.o)]).explode('d')",
        "lib.Series([lib.Index([1, 2]), lib.Index(['a'])]).explode()",
        "df.apply(lambda r: lib.date_range(r.i, r.o), axis=1)[0]",
    ],
)
def test_indexes_are_elements(code):
    agree(code, df=STAYS)


def test_dicts_of_unlike_keys_keep_their_own():
    agree("lib.json_normalize([{'n': {'a': 1, 'b': 2}}, {'n': {'a': 3}}], max_level=0)")
    agree("lib.json_normalize([{'o': [{'q': {'z': 1, 'y': 2}}, {'q': {'z': 2}}]}], 'o', max_level=0)")
    series = pd.Series([{"a": 1}, {"b": 2}])
    assert cuprum.from_pandas(series).to_list() == series.to_list() == cuprum.Series(series).to_list()
    assert str(cuprum.from_pandas(pd.Series([{"a": 1}, {"a": 2}])).dtype) == "struct<a: int64>"
