"""Every public function has a docstring in numpydoc's form: all parameters, the result, an example; what it names is there."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
import types
from collections.abc import Iterator
from types import ModuleType

import pytest

import cuprum
import pylibcuprum

validate = pytest.importorskip("numpydoc.validate").validate
docscrape = pytest.importorskip("numpydoc.docscrape")

# What numpydoc.validate calls by these codes is wrong.
CODES = {
    "GL06": "a section of another name",
    "GL07": "sections in another order",
    "GL08": "no docstring",
    "SS01": "no summary",
    "SS03": "a summary without a period",
    "SS06": "a summary of several lines",
    "PR01": "a parameter is not documented",
    "PR02": "a documented parameter is none of the function",
    "PR03": "parameters in another order",
    "PR04": "a parameter without a type",
    "PR07": "a parameter without a description",
    "RT01": "no section of returns",
    "RT03": "a result without a description",
    "YD01": "no section of yields",
    "EX01": "no example",
}

# Modules whose names are published elsewhere, or called by other libraries alone.
PUBLISHED = ("cuprum.core.buffer", "cuprum.io.parquet")
INTERNAL = ("cuprum.core", "cuprum.io.", "cuprum.dask", "cuprum.forks", "pylibcuprum.io.options")

# Classes that a user meets as attributes of series.
ACCESSORS = [
    "cuprum.core.accessors.bytes.BytesMethods",
    "cuprum.core.accessors.categorical.CategoricalAccessor",
    "cuprum.core.accessors.datetime.DatetimeProperties",
    "cuprum.core.accessors.list.ListMethods",
    "cuprum.core.accessors.period.PeriodProperties",
    "cuprum.core.accessors.string.StringMethods",
    "cuprum.core.accessors.struct.StructAccessor",
    "cuprum.core.accessors.timedelta.TimedeltaProperties",
]

DT = "cuprum.core.accessors.combined.CombinedDatetimelikeProperties"

# Methods of options that declarations make, in `pylibcuprum.io.options`: examples are those of their classes.
DECLARED = ("Setter.", "Step.")


def public_modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        private = any(part.startswith("_") for part in found.name.split("."))
        if found.name in PUBLISHED or not (private or found.name.startswith(INTERNAL)):
            yield importlib.import_module(found.name)


def is_ours(thing: object) -> bool:
    module = getattr(thing, "__module__", None)
    if module is None:
        # A method of the extension module, in a class of its own or of Python.
        module = getattr(getattr(thing, "__objclass__", None), "__module__", None) or ""
    return module.split(".")[0] in {"cuprum", "pylibcuprum"} and module != "cuprum._cuprum"


def is_native(thing: object) -> bool:
    """Whether a class, a method or an attribute is of the extension module."""
    if inspect.isclass(thing):
        public = [value for name, value in vars(thing).items() if not name.startswith("_")]
        makes = isinstance(vars(thing).get("__new__"), types.BuiltinFunctionType)
        return is_ours(thing) and (makes or any(map(is_native, public)))
    if isinstance(thing, staticmethod):
        return isinstance(thing.__func__, types.BuiltinFunctionType)
    return inspect.isgetsetdescriptor(thing) or isinstance(
        thing, (types.MethodDescriptorType, types.ClassMethodDescriptorType)
    )


def public_functions(package: ModuleType) -> dict[str, object]:
    """The functions, methods and properties of a package by the first name that reaches them."""
    found: dict[str, object] = {}
    seen: set[int] = set()

    def add(name: str, thing: object) -> None:
        function = inspect.unwrap(thing) if callable(thing) else thing
        if id(function) not in seen:
            seen.add(id(function))
            found[name] = thing

    def add_members(path: str, kind: type) -> None:
        if id(kind) in seen:
            return
        seen.add(id(kind))
        if is_native(kind):
            # By the name of its module: `pylibcuprum.gpumemoryview` is a module, too.
            path = f"{kind.__module__}.{kind.__name__}"
            found[path] = kind
        for member in dir(kind):
            value = inspect.getattr_static(kind, member)
            if is_native(kind) and is_native(value) and not member.startswith("_") and member in vars(kind):
                add(f"{path}.{member}", value)
                continue
            value = getattr(value, "__func__", value)
            is_property = isinstance(value, property) and is_ours(value.fget)
            if not member.startswith("_") and (is_property or (callable(value) and is_ours(value))):
                add(f"{path}.{member}", value)

    for module in public_modules(package):
        for name in vars(module).get("__all__", dir(module)):
            thing, path = getattr(module, name), f"{module.__name__}.{name}"
            if name.startswith("_") or not is_ours(thing):
                continue
            if inspect.isclass(thing):
                add_members(path, thing)
            elif callable(thing):
                add(path, thing)
    for path in ACCESSORS if package is cuprum else []:
        module, _, name = path.rpartition(".")
        add_members(path, getattr(importlib.import_module(module), name))
    return found


def is_short(name: str, thing: object) -> bool:
    """Whether a name needs no example: properties, methods that declarations make, and those of classes of the
    extension module that take nothing, which the examples of their classes show."""
    if isinstance(thing, property) or inspect.isgetsetdescriptor(thing):
        return True
    if is_native(thing):
        return not inspect.signature(pkgutil.resolve_name(name)).parameters.keys() - {"self"}
    return getattr(getattr(thing, "__code__", None), "co_qualname", "").startswith(DECLARED)


def faults(name: str, thing: object) -> list[str]:
    """The faults of the docstring of a name."""
    codes = CODES.keys() - ({"EX01"} if not inspect.isclass(thing) and is_short(name, thing) else set())
    if inspect.isclass(thing):
        codes = {"GL08", "SS01", "SS03", "SS06", "EX01"}
    return [f"{name}: {code} {text}" for code, text in validate(name)["errors"] if code in codes]


def is_there(name: str, places: list[str]) -> bool:
    """Whether a name leads to something from one of the places."""
    if name.startswith("Series.dt."):  # an accessor of several classes
        name, places = name.removeprefix("Series.dt."), [DT]
    for place in places:
        try:
            pkgutil.resolve_name(f"{place}.{name}")
        except (AttributeError, ImportError, ValueError):
            continue
        return True
    return False


def unknown_names(path: str, text: str | None) -> list[str]:
    """What a section "See Also" of a docstring names and is not there."""
    owner = path.rpartition(".")[0]
    places = [owner, owner.rpartition(".")[0] or owner, "cuprum", "pylibcuprum"]
    items = docscrape.NumpyDocString(text or "")["See Also"] if "See Also" in (text or "") else []
    return [
        f"{path}: See Also names {name}, which is not there"
        for names, _ in items
        for name, _ in names
        if not is_there(name, places)
    ]


def all_faults(native: bool) -> list[str]:
    """The faults of all that is of the extension module, or of all else."""
    return [
        fault
        for package in (cuprum, pylibcuprum)
        for name, thing in public_functions(package).items()
        if is_native(thing) == native
        for fault in faults(name, thing) + unknown_names(name, inspect.getdoc(thing))
    ]


def test_names_that_are_not_there_are_found() -> None:
    text = "Sum.\n\nSee Also\n--------\nmean : There.\nSeries.sum : There.\nmeen : Not there.\nSeries.summe : Nor this.\n"
    assert [fault.split()[4] for fault in unknown_names("cuprum.DataFrame.sum", text)] == [
        "meen,",
        "Series.summe,",
    ]


@pytest.mark.parametrize("of", ["python", "extension module"])
def test_docstrings_are_whole(of: str) -> None:
    # In a process of its own: other tests register accessors and replace functions.
    command = [sys.executable, __file__, of]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


if __name__ == "__main__":
    print(*all_faults(sys.argv[1] == "extension module"), sep="\n", end="")
