"""No argument without effect: every parameter of the public functions has an entry in a table.

The tables (``arguments_*.py``) say on which input a value of the parameter changes pandas' result, which
is ours too, or which value is refused by name; see `arguments_entries`. A parameter without an entry
fails here, and so does an entry without a parameter, a default that is not pandas', and a keyword of
pandas that a function takes by ``**kwargs`` without an entry for it.
"""

import ast
import inspect
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from arguments_accessors import ACCESSORS
from arguments_combination import COMBINED_FRAMES, COMBINED_SERIES
from arguments_cudf import CUDF_FRAMES, CUDF_INDEXES, CUDF_SERIES, CUDF_TEXTS
from arguments_entries import environment, ours, refused, same
from arguments_frames import FRAME
from arguments_functions import FUNCTIONS
from arguments_groupby import GROUP_SUBJECTS, GROUPS
from arguments_index import INDEXES
from arguments_intervals import INTERVAL_FUNCTIONS, INTERVAL_INDEXES
from arguments_resample import (
    GROUPER,
    RESAMPLE_METHODS,
    RESAMPLE_SUBJECTS,
    RESAMPLED,
    RESAMPLED_GROUPS,
    RESAMPLED_SERIES,
    TIMES_OF_DAY,
)
from arguments_reshape import RESHAPED_FRAMES, RESHAPED_SERIES, RESHAPING
from arguments_series import SERIES
from arguments_shared import SUBJECTS
from arguments_windows import WINDOW_METHODS, WINDOW_SUBJECTS
from oracle import assert_like
from oracle import ours as converted

import cuprum
from cuprum.core.accessors.categorical import CategoricalAccessor
from cuprum.core.accessors.datetime import DatetimeProperties
from cuprum.core.accessors.list import ListMethods
from cuprum.core.accessors.string import StringMethods
from cuprum.core.accessors.struct import StructAccessor
from cuprum.core.accessors.timedelta import TimedeltaProperties
from cuprum.core.groupby import groupby, resample
from cuprum.core.window import ewm, rolling, weighted

SUBJECTS = SUBJECTS | GROUP_SUBJECTS | WINDOW_SUBJECTS | RESAMPLE_SUBJECTS
TABLES = {
    "DataFrame": FRAME | RESHAPED_FRAMES | COMBINED_FRAMES | RESAMPLED | CUDF_FRAMES,
    "Series": SERIES | RESHAPED_SERIES | COMBINED_SERIES | RESAMPLED_SERIES | CUDF_SERIES,
    **{kind: entries | RESAMPLED_GROUPS for kind, entries in GROUPS.items()},
    **RESAMPLE_METHODS,
    "Grouper": GROUPER,
    **INDEXES,
    "Index": INDEXES["Index"] | CUDF_INDEXES,
    "DatetimeIndex": INDEXES["DatetimeIndex"] | TIMES_OF_DAY,
    **INTERVAL_INDEXES,
    **ACCESSORS,
    "str": ACCESSORS["str"] | CUDF_TEXTS,
    **WINDOW_METHODS,
    "": FUNCTIONS | INTERVAL_FUNCTIONS | RESHAPING,
}

# Our class, pandas' class, the class whose methods need no second entry.
TYPES = {
    "DataFrame": (cuprum.DataFrame, pd.DataFrame, None),
    "Series": (cuprum.Series, pd.Series, None),
    "Index": (cuprum.Index, pd.Index, None),
    "RangeIndex": (cuprum.RangeIndex, pd.RangeIndex, cuprum.Index),
    "MultiIndex": (cuprum.MultiIndex, pd.MultiIndex, cuprum.Index),
    "CategoricalIndex": (cuprum.CategoricalIndex, pd.CategoricalIndex, cuprum.Index),
    "DatetimeIndex": (cuprum.DatetimeIndex, pd.DatetimeIndex, cuprum.Index),
    "IntervalIndex": (cuprum.IntervalIndex, pd.IntervalIndex, cuprum.Index),
    "TimedeltaIndex": (cuprum.TimedeltaIndex, pd.TimedeltaIndex, cuprum.Index),
    "DataFrameGroupBy": (groupby.DataFrameGroupBy, pd.api.typing.DataFrameGroupBy, None),
    "SeriesGroupBy": (groupby.SeriesGroupBy, pd.api.typing.SeriesGroupBy, None),
    "Resampler": (resample.Resampler, pd.core.resample.DatetimeIndexResampler, None),
    "GroupResampler": (resample.GroupResampler, pd.api.typing.DatetimeIndexResamplerGroupBy, None),
    "Grouper": (cuprum.Grouper, pd.Grouper, None),
    "Rolling": (rolling.Rolling, pd.api.typing.Rolling, None),
    "Expanding": (rolling.Expanding, pd.api.typing.Expanding, None),
    "Window": (weighted.Window, pd.api.typing.Window, None),
    "ExponentialMovingWindow": (ewm.ExponentialMovingWindow, pd.api.typing.ExponentialMovingWindow, None),
    "str": (StringMethods, pd.Series.str, None),
    "cat": (CategoricalAccessor, pd.core.arrays.categorical.CategoricalAccessor, None),
    "list": (ListMethods, pd.core.arrays.arrow.accessors.ListAccessor, None),
    "struct": (StructAccessor, pd.core.arrays.arrow.accessors.StructAccessor, None),
    "td": (TimedeltaProperties, pd.core.indexes.accessors.TimedeltaProperties, None),
    "dt": (DatetimeProperties, pd.core.indexes.accessors.CombinedDatetimelikeProperties, None),
}
# Made by methods, not by users.
NO_CONSTRUCTOR = {"DataFrameGroupBy", "SeriesGroupBy", *ACCESSORS, *WINDOW_METHODS, *RESAMPLE_METHODS}


def parameters(function, kind):
    """The parameters of a function by name, ``*args`` and ``**kwargs`` with their stars."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    found = list(inspect.signature(function).parameters.values())
    if found and ((inspect.isfunction(function) and kind) or found[0].name == "self"):
        del found[0]
    return {stars.get(p.kind, "") + p.name: p for p in found}


def public():
    """Triples of where a function is (``""`` or a class), its name, it, and pandas' function of that name."""
    functions = {
        getattr(cuprum, name): name
        for name in reversed(cuprum.__all__)
        if inspect.isfunction(getattr(cuprum, name))
    }
    for function, name in functions.items():
        yield "", name, function, getattr(pd, name, None)
    for kind, (own, theirs, known) in TYPES.items():
        if kind not in NO_CONSTRUCTOR and (known is None or own.__new__ is not known.__new__):
            yield kind, kind, own, theirs
        seen = []
        for name in sorted(dir(own), key=lambda name: name not in TABLES[kind]):
            function = getattr(own, name)
            plain = inspect.getattr_static(own, name)
            if name.startswith("_") or isinstance(plain, property) or not callable(function):
                continue
            if any(plain is one for one in seen):
                continue  # another name of a method
            if known is not None and plain is inspect.getattr_static(known, name, None):
                continue
            seen.append(plain)
            expected = getattr(theirs, name, None)
            yield kind, name, function, expected if callable(expected) else None


PUBLIC = {(kind, name): (function, theirs) for kind, name, function, theirs in public()}
ENTRIES = [
    (kind, name, parameter, one)
    for kind, functions in TABLES.items()
    for name, entries in functions.items()
    for parameter, entry in entries.items()
    for one in (entry if isinstance(entry, list) else [entry])
]


def test_every_parameter_has_an_entry_and_every_entry_a_parameter():
    lacking, idle = [], []
    for (kind, name), (function, theirs) in PUBLIC.items():
        entries = {parameter for parameter, entry in TABLES[kind].get(name, {}).items() if entry}
        own = parameters(function, kind)
        swallowed = set()
        if "**kwargs" in own and theirs is not None:
            swallowed = {p for p in parameters(theirs, kind) if not p.startswith("*")} - set(own)
        lacking += [f"{kind}.{name}({p})" for p in [*own, *sorted(swallowed)] if p not in entries]
        # What **kwargs take besides, as those of cuDF, says itself by name whether it is known.
        if "**kwargs" not in own:
            idle += [f"{kind}.{name}({p})" for p in entries - set(own)]
    for kind, functions in TABLES.items():
        idle += [f"{kind}.{name}" for name in functions if (kind, name) not in PUBLIC]
    assert not lacking, f"no entry for {', '.join(lacking)}"
    assert not idle, f"no parameter for {', '.join(idle)}"


# Two ways to say the same axis, and to say nothing.
_ALIKE = [(None, 0), (None, ...), ("\n", None)]


def test_defaults_are_those_of_pandas():
    other = []
    for (kind, name), (function, theirs) in PUBLIC.items():
        if theirs is None:
            continue
        defaults = parameters(theirs, kind)
        for parameter, own in parameters(function, kind).items():
            expected = defaults.get(parameter)
            if (
                own.default is inspect.Parameter.empty
                or expected is None
                or expected.default
                in (
                    inspect.Parameter.empty,
                    pd.api.extensions.no_default,
                )
            ):
                continue
            pair = (own.default, expected.default)
            if own.default != expected.default and pair not in _ALIKE and pair[::-1] not in _ALIKE:
                other.append(f"{kind}.{name}({parameter}={own.default!r}), in pandas {expected.default!r}")
    assert not other, "; ".join(other)


# Whose first parameter has another meaning, and so another name, or that have one more at their end.
_OTHER_ORDER = {
    *[("DataFrame", name) for name in ("from_arrow", "filter", "join", "eq", "ne", "lt", "le", "gt", "ge")],
    *[("Series", "from_arrow"), ("Series", "filter"), ("MultiIndex", "MultiIndex"), ("struct", "field")],
    ("Grouper", "Grouper"),
}


def test_parameters_are_where_pandas_has_them():
    """What is given by position means the same, or is refused."""
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    other = []
    for (kind, name), (function, theirs) in PUBLIC.items():
        if theirs is None or (kind, name) in _OTHER_ORDER:
            continue
        own, expected = (
            [parameter for parameter, p in parameters(f, kind).items() if p.kind in by_position]
            for f in (function, inspect.unwrap(theirs))  # what pandas still takes, if with a warning
        )
        if own != expected[: len(own)]:
            other.append(f"{kind}.{name}({', '.join(own)}), in pandas ({', '.join(expected)})")
    assert not other, "; ".join(other)


@pytest.mark.parametrize(
    ("kind", "name", "parameter", "entry"),
    ENTRIES,
    ids=["-".join([k or "cuprum", n, p]) for k, n, p, _ in ENTRIES],
)
def test_argument(kind, name, parameter, entry):
    if isinstance(entry, refused):
        code = _of(kind, entry.code)
        named = entry.says or rf"\b{re.escape(parameter.strip('*'))}\b"
        with pytest.raises(entry.error, match=named):
            _run(code, cuprum, converted)
        base = _without(code, name, parameter)
        other = None if base is None else _outcome(base, cuprum, converted)
        refuses = isinstance(other, Exception) and re.search(named, str(other))
        assert not refuses or entry.says == name, "it is not the value that is refused"
    elif isinstance(entry, ours):
        code = _of(kind, entry.code)
        actual = _run(code, cuprum, converted)
        assert_like(
            actual,
            _run(_of(kind, entry.expected), pd, _itself),
            kept=[("m", "b"), ("m", "x"), ("w", "b"), ("w", "x")],
        )
        base = _without(code, name, parameter)
        assert base is None or not _equal(_outcome(base, cuprum, converted), actual), "it changes nothing"
    elif isinstance(entry, same):
        code = _of(kind, entry.code)
        expected = _run(code, pd, _itself)
        assert _equal(expected, _run(_without(code, name, parameter), pd, _itself)), "pandas' results differ"
        assert_like(_run(code, cuprum, converted), expected, kept=["a", "b", ...])
    else:
        codes = [_of(kind, one) for one in ((entry,) if isinstance(entry, str) else entry)]
        expected = [_run(code, pd, _itself) for code in codes]
        if len(codes) == 1:
            base = _without(codes[0], name, parameter)
            assert base is not None, f"{codes[0]} has no {parameter}"
            others = [*expected, _outcome(base, pd, _itself)]
        else:
            others = expected
            assert all(_calls(code, name) for code in codes), f"{codes} do not call {name}"
        assert not _equal(*others[:2]), "pandas' results are the same"
        for code, one in zip(codes, expected, strict=True):
            assert_like(
                _run(code, cuprum, converted),
                one,
                kept=["q", "w", "x", ("m", "b"), ("m", "x"), ("w", "b"), ("w", "x")],
            )


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for (kind, name), (f, _) in PUBLIC.items() if "**kwargs" in parameters(f, kind)],
    ids=lambda x: x or "cuprum",
)
def test_unknown_keywords_are_refused(kind, name):
    call = _CALLS.get((kind, name), _CALLS.get(name, f"{name}(bogus=1)"))
    if call is None:
        return
    subject = {"": "lib", "str": "words.str", "dt": "times.dt"}.get(kind) or SUBJECTS[kind]
    with pytest.raises(TypeError, match="bogus"):
        _run(f"{subject}.{call}", cuprum, converted)


@pytest.mark.parametrize("frame", ["whole", "whole['p']"])
@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "prod",
        "min",
        "max",
        "mean",
        "std",
        "var",
        "any",
        "all",
        "cumsum",
        "cumprod",
        "round",
        "argsort",
    ],
)
def test_functions_of_numpy_call_methods(name, frame):
    """They give the keywords of NumPy's own methods."""
    if name == "argsort" and frame == "whole":
        return
    code = f"np.{name}({frame})"
    assert_like(_run(code, cuprum, converted), _run(code, pd, _itself))


# How to call the functions that have other keywords than their own; None for those that pass them on.
_CALLS = {
    "read_table": "read_table(io.StringIO('a'), bogus=1)",
    "read_fwf": "read_fwf(io.StringIO('a'), bogus=1)",
    "assign": None,
    "select": None,
    "pipe": None,
    "option_context": None,
    ("DataFrameGroupBy", "filter"): "filter(lambda y: len(y) > 1, bogus=1)",
    ("SeriesGroupBy", "filter"): "filter(lambda y: len(y) > 1, bogus=1)",
    "agg": "agg('sum', bogus=1)",
    ("DataFrame", "pivot_table"): "pivot_table(index='p', values='q', aggfunc='sum', bogus=1)",
    ("", "pivot_table"): "pivot_table(lib.DataFrame({0: [1], 1: [2]}), index=0, aggfunc='sum', bogus=1)",
    "apply": "apply('sum', bogus=1)",
    "transform": "transform('sum', bogus=1)",
    ("DataFrame", "map"): "map(lambda y: y, bogus=1)",
    ("Series", "map"): "map(lambda y: y, bogus=1)",
    ("DataFrame", "transform"): "transform('cumsum', bogus=1)",
    ("Series", "transform"): "transform('cumsum', bogus=1)",
    "read_csv": "read_csv(b'a', bogus=1)",
    "read_avro": "read_avro(b'a', bogus=1)",
    "read_feather": "read_feather(b'a', bogus=1)",
    "read_json": "read_json(b'a', bogus=1)",
    "read_orc": "read_orc(b'a', bogus=1)",
    "read_parquet": "read_parquet(b'a', bogus=1)",
    "from_records": "from_records([], bogus=1)",
}


def _itself(frame):
    return frame


def _of(kind, code):
    """An expression with what the table's class calls ``x`` or ``g``."""
    subject = SUBJECTS.get(kind)
    return code if subject is None else re.sub(r"(?<!['\w.])[xg]\b(?!['=])", subject, code)


def _run(code, lib, convert):
    with warnings.catch_warnings():
        if lib is pd:
            warnings.simplefilter("ignore")
        return eval(code, environment(lib, convert, code))


def _outcome(code, lib, convert):
    try:
        return _run(code, lib, convert)
    except Exception as error:
        return error


def _name(call):
    return getattr(call.func, "attr", getattr(call.func, "id", None))


def _calls(code, name):
    return any(isinstance(node, ast.Call) and _name(node) == name for node in ast.walk(ast.parse(code)))


def _without(code, name, parameter):
    """The expression without the keyword in its call of ``name``; None where there is none."""
    tree = ast.parse(code, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node) == name:
            rest = [k for k in node.keywords if k.arg != parameter]
            if len(rest) < len(node.keywords):
                node.keywords = rest
                return ast.unparse(tree)
    return None


def _equal(a, b):
    """Whether two results of pandas, or of Cuprum, are the same: values, labels, names, types."""
    if isinstance(a, Exception) or isinstance(b, Exception):
        return type(a) is type(b) and str(a) == str(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, (cuprum.DataFrame, cuprum.Series, cuprum.Index)):
        return _equal(a.to_pandas(), b.to_pandas())
    if isinstance(a, pd.Index):
        return a.identical(b)
    if isinstance(a, pd.Series):
        return a.equals(b) and _equal(a.index, b.index) and a.name == b.name and a.dtype == b.dtype
    if isinstance(a, pd.DataFrame):
        parts = _equal(a.index, b.index) and _equal(a.columns, b.columns)
        return parts and a.equals(b) and list(a.dtypes) == list(b.dtypes)
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and _equal(a.tolist(), b.tolist())
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and _equal(list(a.values()), list(b.values()))
    return a == b or (a != a and b != b)


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("copy", "lib.DataFrame({'a': [1]}, copy=BAD)"),
        ("copy", "lib.Series([1], copy=BAD)"),
        ("copy", "df.to_numpy(copy=BAD)"),
        ("copy", "df.T.T.transpose(copy=BAD)"),
        ("copy", "df.astype('str', copy=BAD)"),
        ("copy", "df.i.astype('str', copy=BAD)"),
        ("copy", "df.rename(columns={'i': 'z'}, copy=BAD)"),
        ("copy", "df.i.rename('z', copy=BAD)"),
        ("copy", "lib.merge(df, df, on='i', copy=BAD)"),
        ("copy", "lib.concat([df], copy=BAD)"),
        ("copy", "lib.MultiIndex.from_tuples([(1, 2)]).to_numpy(copy=BAD)"),
        ("copy", "lib.Index([1, 'a']).to_numpy(copy=BAD)"),
        ("deep", "df.memory_usage(deep=BAD)"),
        ("deep", "df.i.memory_usage(deep=BAD)"),
        ("stable", "df.i.argsort(stable=BAD)"),
        ("cache", "lib.to_datetime(['2013-01-02'], cache=BAD)"),
        ("how", "df.i.dropna(how=BAD)"),
        ("include", "df.i.describe(include=BAD)"),
        ("exclude", "df.i.describe(exclude=BAD)"),
        ("level", "lib.Index([1, 'a']).isin([1], level=BAD)"),
    ],
)
def test_what_changes_nothing_takes_no_nonsense(argument, call):
    df = cuprum.DataFrame({"i": [2, 1]})
    with pytest.raises((TypeError, ValueError, KeyError, NotImplementedError), match=f"{argument}|bogus"):
        eval(call.replace("BAD", "'bogus'"), {"lib": cuprum, "df": df})
