"""Functions of other libraries are given pandas' objects, whichever is imported first; here of a library made for it."""

import functools
import importlib
import inspect
import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

import cuprum
from cuprum.core import library_hooks

TAKER = """
    import functools
    from pandas_takers import numbers as nn

    def kind(*args, **kwargs):
        "What is given."
        return [type(value).__module__.partition(".")[0] for value in (*args, *kwargs.values())]

    def given(*args, **kwargs):
        return args, kwargs

    def of_numbers(values):
        return nn.total(values)

    def _private(value):
        return kind.__wrapped__(value) if hasattr(kind, "__wrapped__") else kind(value)

    class Model:
        def __init__(self, data):
            self.data = data

        @classmethod
        def made(cls, data):
            return cls(data)

        def fit(self, data):
            return data

    class Derived(Model):
        def __init__(self, data):
            self.first = data
            super().__init__(data)

        def fit(self, data):
            return data, super().fit(data)
"""

TAKERS = {
    "pandas_takers.taker": (
        "*",
        "Model.__init__*",
        "Model.fit*",
        "Model.made",
        "Gone.fit",
        "nn.total",
        "gone",
    ),
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "pandas_takers"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "numbers.py").write_text("def total(values):\n    return type(values).__module__\n")
    (folder / "taker.py").write_text(textwrap.dedent(TAKER))
    (folder / "user.py").write_text("from pandas_takers.taker import Model, given, kind\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(library_hooks, "TAKERS", library_hooks.TAKERS | TAKERS)
    yield
    for name in [name for name in sys.modules if name.startswith("pandas_takers")]:
        del sys.modules[name]


@pytest.fixture(params=["before", "after"])
def taker(package, request, monkeypatch):
    """The module, imported after the package was, or before."""
    if request.param == "before":
        monkeypatch.setattr(
            sys, "meta_path", [one for one in sys.meta_path if one is not library_hooks._Finder]
        )
        importlib.import_module("pandas_takers.user")
        library_hooks.install()
    return importlib.import_module("pandas_takers.user"), importlib.import_module("pandas_takers.taker")


FRAME = cuprum.DataFrame({"a": [1, 2]}, index=["x", "y"])


def test_frames_series_indexes_and_rows_are_given(taker):
    for module in taker:
        ours = FRAME, FRAME["a"], FRAME.index, FRAME.assign(b="t").iloc[0]
        assert module.kind(*ours) == ["pandas"] * 4
        assert module.kind(data=FRAME) == ["pandas"]
        assert module.kind(1, "a", None, np.ones(2), pd.Series([1])) == [
            "builtins",
            "builtins",
            "builtins",
            "numpy",
            "pandas",
        ]


def test_what_is_given_has_the_labels(taker):
    ((frame, index), _) = taker[0].given(FRAME, FRAME.index)
    assert frame.equals(FRAME.to_pandas()) and index is frame.index
    ((columns,), kwargs) = taker[0].given(FRAME.columns, data=FRAME)
    assert columns is kwargs["data"].columns
    ((one, other), _) = taker[0].given(FRAME, FRAME)
    assert one is other


def test_within_lists_tuples_and_dicts(taker):
    ((pairs, by_name), _) = taker[0].given([(FRAME, FRAME["a"])], {"a": FRAME["a"], "b": 1})
    assert isinstance(pairs[0][0], pd.DataFrame) and isinstance(pairs[0][1], pd.Series)
    assert isinstance(by_name["a"], pd.Series) and by_name["b"] == 1
    plain = [1, 2.0, "a"], {"a": [None]}, ({},), {1, 2}
    assert all(a is b for a, b in zip(taker[0].given(*plain)[0], plain, strict=True))
    numbers = list(range(5000))
    assert taker[0].given(numbers)[0][0] is numbers


def test_methods_and_those_of_classes_that_inherit(taker):
    user, module = taker
    assert isinstance(user.Model(FRAME).data, pd.DataFrame)
    assert isinstance(user.Model.made(FRAME).data, pd.DataFrame)
    assert isinstance(module.Derived(FRAME).first, pd.DataFrame)
    first, second = module.Derived(FRAME).fit(FRAME)
    assert first is second and isinstance(first, pd.DataFrame)

    class Later(module.Derived):
        def fit(self, data):
            return data

    assert isinstance(Later(FRAME).fit(FRAME), pd.DataFrame)


def test_a_module_that_it_imports_is_changed_for_it_alone(taker):
    numbers = importlib.import_module("pandas_takers.numbers")
    assert taker[1].nn.total(FRAME) == "pandas"
    assert numbers.total(FRAME).startswith("cuprum")


def test_functions_stay_what_they_are(taker):
    user, module = taker
    assert user.kind is module.kind and user.kind.__doc__ == "What is given."
    assert str(inspect.signature(module.Model)) == "(data)"
    assert pickle.loads(pickle.dumps(module.kind)) is module.kind
    assert inspect.getsource(module).startswith("\nimport functools")
    assert functools.reduce(lambda count, _: count + 1, [module.kind.__wrapped__], 0) == 1
    assert not hasattr(module._private, "__wrapped__")


def test_what_pandas_cannot_hold_is_refused_with_the_way_out(taker):
    with pytest.raises(OverflowError, match="row 0") as caught:
        taker[0].kind(cuprum.DataFrame({"a": [2**60 + 1, None]}))
    assert "pass it to_pandas(nullable=True)" in caught.value.__notes__[0]


def test_it_is_installed_once():
    library_hooks.install()
    assert sys.meta_path.count(library_hooks._Finder) == 1


@pytest.mark.parametrize(("value", "wrapped"), [("0", False), ("1", True), ("", True)])
def test_an_environment_variable_leaves_other_libraries_alone(value: str, wrapped: bool) -> None:
    code = "import cuprum, pandas; print(hasattr(pandas.DataFrame.__init__, '_takes_pandas'))"
    environment = os.environ | {"CUPRUM_LIBRARY_HOOKS": value}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(wrapped)


@pytest.mark.parametrize(
    "dtype",
    [
        "str",
        "int8",
        "bool",
        "datetime64[ms]",
        "timedelta64[us]",
        "period[M]",
        pd.DatetimeTZDtype("us", "Europe/Berlin"),
        pd.CategoricalDtype(["x", "y"], ordered=True),
        pd.IntervalDtype("int64", "left"),
        object,
        cuprum.ListDtype("int64"),
        cuprum.Decimal64Dtype(7, 2),
    ],
    ids=str,
)
def test_pandas_takes_dtypes(dtype):
    """Also where pandas was imported first: `pandas_dtype` is in many of its modules."""
    ours = cuprum.Series([], dtype=dtype)
    theirs = ours.to_pandas()
    empty = pd.Series([], dtype=object)
    assert empty.astype(ours.dtype).dtype == theirs.dtype
    assert pd.Series([], dtype=ours.dtype).dtype == theirs.dtype
    assert pd.Index([], dtype=object).astype(ours.dtype).dtype == theirs.dtype
    frame = empty.to_frame("a").astype({"a": ours.dtype})
    assert frame.dtypes["a"] == theirs.dtype
    assert pd.api.types.pandas_dtype(ours.dtype) == theirs.dtype
