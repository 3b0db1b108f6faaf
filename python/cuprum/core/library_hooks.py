"""Functions of other libraries that know labels and dtypes of pandas' objects alone: they are given those.

Such a function asks whether its data are a DataFrame of pandas and, where they are not, reads the values without the
labels of rows and columns. `TAKERS` names these functions. Each is replaced, as soon as its module has been imported
by whoever wants it, by one that calls it with what ``to_pandas`` gives of our frames, series and indexes, and pandas' dtypes. No module
is imported for that, and what is not ours is passed on as it is.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.dtypes import dtype_to_pandas

__all__ = ["TAKERS", "given_pandas", "install"]

# Of a module: its public functions, and the classes that it defines.
_ALL = ("*",)

# Functions by module. ``Class.method`` is a method, ``Class.method*`` one of the class and of all that inherit from it,
# ``module.function`` a function of a module that this one has imported, for this one alone; a class that is named is of
# C, and one that inherits from it stands in its place.
TAKERS: dict[str, tuple[str, ...]] = {
    # A chart keeps our frame; narwhals, which reads it when the chart is described, is given pandas'.
    "altair.vegalite.v6.api": ("_prepare_data", "nw.from_native"),
    "lightgbm.basic": (
        "Booster.predict",
        "Booster.refit",
        "Dataset.__init__",
        "Dataset.create_valid",
        "Dataset.set_field",
        "Dataset.set_group",
        "Dataset.set_init_score",
        "Dataset.set_label",
        "Dataset.set_position",
        "Dataset.set_weight",
    ),
    "lightgbm.plotting": ("create_tree_digraph", "plot_tree"),
    "lightgbm.sklearn": (
        "LGBMModel.decision_function*",
        "LGBMModel.fit*",
        "LGBMModel.predict*",
        "LGBMModel.predict_proba*",
    ),
    "_plotly_utils.basevalidators": ("copy_to_readonly_numpy_array", "to_scalar_or_list"),
    # The conversion to dtypes, in all of pandas.
    "pandas.core.dtypes.common": ("pandas_dtype",),
    # Methods that write in place are left out: pandas counts references to find writes to temporaries.
    "pandas.core.frame": (
        "DataFrame.__init__",
        "DataFrame._flex_arith_method",
        "DataFrame._flex_cmp_method",
        "DataFrame.combine",
        "DataFrame.combine_first",
        "DataFrame.corrwith",
        "DataFrame.dot",
        "DataFrame.from_records",
        "DataFrame.groupby",
        "DataFrame.insert",
        "DataFrame.isin",
        "DataFrame.join",
        "DataFrame.merge",
        "DataFrame.set_index",
    ),
    "pandas.core.generic": (
        "NDFrame._inplace_method",
        "NDFrame.align",
        "NDFrame.compare*",
        "NDFrame.equals",
        "NDFrame.reindex_like",
    ),
    "pandas.core.reshape.concat": ("concat",),
    "pandas.core.reshape.encoding": ("get_dummies",),
    "pandas.core.reshape.melt": ("melt", "wide_to_long"),
    "pandas.core.reshape.merge": ("merge", "merge_asof", "merge_ordered"),
    "pandas.core.reshape.pivot": ("crosstab", "pivot", "pivot_table"),
    "pandas.core.reshape.tile": ("cut", "qcut"),
    "pandas.core.series": (
        "Series.__init__",
        "Series._flex_method",
        "Series.combine",
        "Series.combine_first",
        "Series.corr",
        "Series.cov",
        "Series.dot",
        "Series.groupby",
        "Series.map",
    ),
    "pandas.core.tools.datetimes": ("to_datetime",),
    "pandas.core.tools.timedeltas": ("to_timedelta",),
    "plotly.express._chart_types": _ALL,
    "plotly.express._imshow": ("imshow",),
    "plotly.figure_factory._dendrogram": _ALL,
    "plotly.figure_factory._hexbin_map": _ALL,
    "plotly.figure_factory._table": _ALL,
    "pyarrow.pandas_compat": ("dataframe_to_arrays", "dataframe_to_types"),
    "seaborn._core.plot": ("Plot.__init__", "Plot.add", "Plot.facet", "Plot.pair"),
    "seaborn.axisgrid": _ALL,
    "seaborn.categorical": _ALL,
    "seaborn.distributions": _ALL,
    "seaborn.matrix": _ALL,
    "seaborn.regression": _ALL,
    "seaborn.relational": _ALL,
    "sklearn.feature_selection._base": ("SelectorMixin.transform",),
    "sklearn.utils._set_output": ("PandasAdapter.create_container",),
    "sklearn.utils.validation": ("_get_feature_names", "check_array", "column_or_1d"),
    "statsmodels.base.model": (
        "Model.__init__*",
        "Results.forecast*",
        "Results.get_forecast*",
        "Results.get_prediction*",
        "Results.predict*",
    ),
    "statsmodels.stats.contingency_tables": (*_ALL, "StratifiedTable.from_data", "Table.from_data*"),
    # By which it makes pandas' objects of those of Polars: a formula finds the variables of its caller by frames of the
    # stack, so nothing may stand between.
    "statsmodels.tools.data": ("_to_pandas",),
    "statsmodels.tools.tools": ("add_constant",),
    "statsmodels.tsa.ardl.model": ("ardl_select_order",),
    "statsmodels.tsa.stl._stl": ("STL",),
    "statsmodels.tsa.tsatools": ("add_lag", "add_trend", "detrend", "lagmat", "lagmat2ds"),
    **dict.fromkeys(
        (
            "statsmodels.duration.survfunc",
            "statsmodels.graphics.boxplots",
            "statsmodels.graphics.correlation",
            "statsmodels.graphics.factorplots",
            "statsmodels.graphics.functional",
            "statsmodels.graphics.mosaicplot",
            "statsmodels.graphics.regressionplots",
            "statsmodels.graphics.tsaplots",
            "statsmodels.imputation.bayes_mi",
            "statsmodels.imputation.mice",
            "statsmodels.imputation.ros",
            "statsmodels.multivariate.pca",
            "statsmodels.regression.rolling",
            "statsmodels.sandbox.stats.multicomp",
            "statsmodels.stats.anova",
            "statsmodels.stats.descriptivestats",
            "statsmodels.stats.diagnostic",
            "statsmodels.stats.mediation",
            "statsmodels.stats.meta_analysis",
            "statsmodels.stats.oaxaca",
            "statsmodels.stats.outliers_influence",
            "statsmodels.stats.proportion",
            "statsmodels.stats.weightstats",
            "statsmodels.tsa.deterministic",
            "statsmodels.tsa.filters.bk_filter",
            "statsmodels.tsa.filters.cf_filter",
            "statsmodels.tsa.filters.filtertools",
            "statsmodels.tsa.filters.hamilton_filter",
            "statsmodels.tsa.filters.hp_filter",
            "statsmodels.tsa.forecasting.stl",
            "statsmodels.tsa.forecasting.theta",
            "statsmodels.tsa.seasonal._seasonal",
            "statsmodels.tsa.stattools._stattools",
            "statsmodels.tsa.stl.mstl",
            "statsmodels.tsa.vector_ar.local_proj",
            "statsmodels.tsa.x13",
        ),
        _ALL,
    ),
    "xgboost.core": (
        "Booster.inplace_predict",
        "DMatrix.__init__*",
        "DMatrix.set_base_margin",
        "DMatrix.set_group",
        "DMatrix.set_info*",
        "DMatrix.set_label",
        "DMatrix.set_weight",
    ),
    "xgboost.data": ("_proxy_transform",),
    "xgboost.sklearn": (
        "XGBModel.apply*",
        "XGBModel.fit*",
        "XGBModel.predict*",
        "XGBModel.predict_proba*",
        "XGBModel.score*",
    ),
}

# Adapters of modules: a function of this package by its module and name.
_ADAPTERS = {
    "IPython.core.guarded_eval": "cuprum.core.ipython_policy:allow_look_ups",
    "tqdm.std": "cuprum.core.progress_of_calls:add_methods",
}

# These read labels alone, so they are given no rows.
_OF_LABELS = frozenset({"_get_feature_names"})

# Longer lists hold elements, and no frames or series.
_LONGEST = 1000

_PLAIN = frozenset({bool, float, int, str, type(None)})


def _has_ours(value: Any) -> bool:
    """Whether a value is a frame, series, index or dtype of ours, or a list, tuple or dict with one in it."""
    kind = type(value)
    if kind in _PLAIN:
        return False
    if kind is list or kind is tuple or kind is dict:
        within = value.values() if kind is dict else value
        return (
            len(value) <= _LONGEST
            and not _PLAIN.issuperset(map(type, within))
            and any(map(_has_ours, within))
        )
    return isinstance(value, (objects.Wrapper, objects.Index, DType))


class _Given:
    """The converted arguments of one call: an object in two places stays one object, and the labels of a frame its own."""

    def __init__(self, values: Iterable[Any], with_rows: bool = True) -> None:
        self._with_rows = with_rows
        self._made: dict[int, Any] = {}
        self._labels: list[tuple[Any, Any]] = []
        for value in values:
            if isinstance(value, objects.DataFrame):
                theirs = self.of(value)
                self._labels += [(value.index, theirs.index), (value.columns, theirs.columns)]

    def of(self, value: Any) -> Any:
        if not _has_ours(value):
            return value
        if isinstance(value, dict):
            return {label: self.of(one) for label, one in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.of, value))
        if id(value) not in self._made:
            self._made[id(value)] = self._pandas(value)
        return self._made[id(value)]

    def _pandas(self, value: Any) -> Any:
        if isinstance(value, DType):
            return dtype_to_pandas(value)
        if isinstance(value, objects.Index):
            for ours, theirs in self._labels:
                if len(ours) == len(value) and ours.identical(value):
                    return theirs
        if isinstance(value, objects.DataFrame) and not self._with_rows:
            value = value.iloc[:0]
        try:
            return value.to_pandas()
        except OverflowError as error:
            error.add_note("The function takes pandas' objects: pass it to_pandas(nullable=True).")
            raise


def given_pandas(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls another with pandas' objects in the place of ours."""
    with_rows = function.__name__ not in _OF_LABELS

    @functools.wraps(function)
    def given(*args: Any, **kwargs: Any) -> Any:
        if not any(map(_has_ours, args)) and not any(map(_has_ours, kwargs.values())):
            return function(*args, **kwargs)
        of = _Given((*args, *kwargs.values()), with_rows).of
        return function(*map(of, args), **{name: of(value) for name, value in kwargs.items()})

    given._takes_pandas = True  # type: ignore[attr-defined]
    code = getattr(function, "__code__", None)
    if code is not None and function.__globals__["__name__"].startswith("pandas."):
        # Its warnings are about the first line of the stack that is not in its own files.
        place = {"co_filename": code.co_filename, "co_firstlineno": code.co_firstlineno}
        given.__code__ = given.__code__.replace(**place)  # type: ignore[attr-defined]
    return given


def _set_in_class(cls: type, name: str) -> None:
    """Replace a method that a class itself defines."""
    own = vars(cls).get(name)
    function = own.__func__ if isinstance(own, classmethod) else own
    if isinstance(function, FunctionType) and not hasattr(function, "_takes_pandas"):
        given = given_pandas(function)
        setattr(cls, name, classmethod(given) if isinstance(own, classmethod) else given)


def _set_below(cls: type, names: Iterable[str]) -> None:
    """Replace methods of a class and of all that inherit from it, those of the future too."""

    def set_in(kind: type) -> None:
        for name in names:
            _set_in_class(kind, name)

    kinds = [cls]
    for kind in kinds:
        set_in(kind)
        kinds += type.__subclasses__(kind)
    own = vars(cls).get("__init_subclass__")

    def init_subclass(kind: Any, **kwargs: Any) -> None:
        if own is None:
            super(cls, kind).__init_subclass__(**kwargs)  # type: ignore[arg-type]
        else:
            own.__func__(kind, **kwargs)
        set_in(kind)

    cls.__init_subclass__ = classmethod(init_subclass)  # type: ignore[assignment]


def _subclass(cls: type) -> type:
    """Return a class in the place of one of C, which cannot be changed."""
    members = {"__doc__": cls.__doc__, "__module__": cls.__module__, "__init__": given_pandas(cls.__init__)}  # type: ignore[misc]
    return type(cls.__name__, (cls,), members | {"_takes_pandas": True})


def _adapt(module: ModuleType) -> dict[int, Any]:
    """Replace the functions of a module that `TAKERS` names; return the new ones by the identity of the old."""
    replaced: dict[int, Any] = {}

    def set_name(name: str) -> None:
        old = getattr(module, name, None)
        if hasattr(old, "_takes_pandas") or not isinstance(old, (FunctionType, type)):
            return
        new = given_pandas(old) if isinstance(old, FunctionType) else _subclass(old)
        replaced[id(old)] = new
        setattr(module, name, new)

    if (adapter := _ADAPTERS.get(module.__name__)) is not None:
        where, _, function = adapter.partition(":")
        getattr(import_module(where), function)(module)
    inherited: dict[type, list[str]] = {}
    for entry in TAKERS.get(module.__name__, ()):
        if entry == "*":
            public = getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]
            for name in public:
                found = getattr(module, name, None)
                if getattr(found, "__module__", None) != module.__name__:
                    continue
                if isinstance(found, type):
                    _set_in_class(found, "__init__")
                else:
                    set_name(name)
            continue
        owner, _, method = entry.rpartition(".")
        cls = getattr(module, owner, None) if owner else None
        if not owner:
            set_name(method)
        elif isinstance(cls, ModuleType):
            own = ModuleType(cls.__name__, cls.__doc__)
            vars(own).update(vars(cls))
            setattr(own, method, given_pandas(getattr(cls, method)))
            setattr(module, owner, own)
        elif isinstance(cls, type) and method.endswith("*"):
            inherited.setdefault(cls, []).append(method[:-1])
        elif isinstance(cls, type):
            _set_in_class(cls, method)
    for cls, methods in inherited.items():
        _set_below(cls, methods)
    return replaced


class _Finder:
    """Finds the modules of `TAKERS` where the other finders do, and adapts each when it has been executed."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in TAKERS and name not in _ADAPTERS:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if finder is _Finder or find is None:
                continue
            spec: ModuleSpec | None = find(name, path, target)
            if spec is not None:
                break
        else:
            return None
        loader = spec.loader
        execute = getattr(loader, "exec_module", None)
        if execute is not None:

            def exec_module(module: ModuleType) -> None:
                execute(module)
                if module.__name__ == name:
                    _adapt(module)

            with suppress(AttributeError):  # of a loader that takes none
                loader.exec_module = exec_module  # type: ignore[union-attr, method-assign]
        return spec


def install() -> None:
    """Adapt the modules that are there, and see to it that those which come are adapted.

    Not where the environment variable ``CUPRUM_LIBRARY_HOOKS`` is ``0``.
    """
    if _Finder in sys.meta_path or os.environ.get("CUPRUM_LIBRARY_HOOKS") == "0":
        return
    sys.meta_path.insert(0, _Finder)
    there = [name for name in (*TAKERS, *_ADAPTERS) if name in sys.modules]
    if not there:
        return
    replaced: dict[int, Any] = {}
    for name in there:
        replaced |= _adapt(sys.modules[name])
    # Modules of the same libraries have imported the functions from these.
    libraries = {name.partition(".")[0] for name in there}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in libraries:
            for attribute, value in list(vars(module).items()):
                if (given := replaced.get(id(value))) is not None:
                    setattr(module, attribute, given)
