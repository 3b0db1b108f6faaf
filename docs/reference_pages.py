"""Writes the pages of the reference: every public name, from the docstrings.

The methods of frames, series and indexes stand in one page for each file of `cuprum/core` that defines them, under the
name of the file: these are the sections of the reference.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import cuprum
import pylibcuprum
from cuprum.core.through_pandas import OfPandas

# Classes with pages of sections, and where one reaches them.
FRAMES = {
    "DataFrame": "cuprum.DataFrame",
    "Series": "cuprum.Series",
    "Index": "cuprum.Index",
}
# Accessors, which are documented as attributes of the class: while the site is built, they are.
ACCESSORS = {
    "str": "cuprum.core.accessors.string.StringMethods",
    "dt": "cuprum.core.accessors.combined.CombinedDatetimelikeProperties",
    "cat": "cuprum.core.accessors.categorical.CategoricalAccessor",
    "list": "cuprum.core.accessors.list.ListMethods",
    "struct": "cuprum.core.accessors.struct.StructAccessor",
}
GROUPS_AND_WINDOWS = [
    "DataFrameGroupBy",
    "SeriesGroupBy",
    "Resampler",
    "Rolling",
    "Expanding",
    "ExponentialMovingWindow",
    "Window",
]
INDEXES = [
    "RangeIndex",
    "MultiIndex",
    "DatetimeIndex",
    "TimedeltaIndex",
    "PeriodIndex",
    "CategoricalIndex",
    "IntervalIndex",
]
# Names of files that say less than a heading should.
HEADINGS = {
    "dataframe": "Construction and attributes",
    "series": "Construction and attributes",
    "index": "Construction and attributes",
    "indexed_frame": "Frames and series",
    "single_column_frame": "One column",
}


def loaded(path: str) -> object:
    """The object that a dotted name leads to."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def is_ours(thing: object) -> bool:
    """Whether a class or function is of our packages."""
    module = getattr(thing, "__module__", None)
    if module is None:
        # A method of the extension module, in a class of Python.
        owner = getattr(getattr(thing, "__objclass__", None), "__module__", "")
        return owner.startswith("cuprum.core.") and owner != "cuprum.core.buffer"
    return module.split(".")[0] in {"cuprum", "pylibcuprum"}


def members(kind: type) -> dict[str, object]:
    """The public methods and properties of a class that are ours, by name."""
    found = {}
    for name in sorted(dir(kind)):
        value = inspect.getattr_static(kind, name)
        value = getattr(value, "__func__", value)
        function = value.fget if isinstance(value, property) else value
        if not name.startswith("_") and callable(function) and is_ours(function) and inspect.getdoc(function):
            found[name] = function
    return found


def section(function: object) -> str:
    """The name of the file that defines a function, as a heading."""
    try:
        stem = Path(inspect.getsourcefile(inspect.unwrap(function)) or "").stem
    except TypeError:
        # A method of the extension module in the place of one in Python.
        stem = "statistics"
    return HEADINGS.get(stem) or stem.replace("_", " ").capitalize() or "Further"


def directive(kind: str, name: str) -> str:
    """A directive of autodoc for a name."""
    return f".. auto{kind}:: {name}\n\n"


def member_directives(path: str, kind: type, names: Iterable[str]) -> str:
    """The directives for members of a class, in the order of their names."""
    return "".join(
        directive(
            "property" if isinstance(inspect.getattr_static(kind, name), property) else "method",
            f"{path}.{name}",
        )
        for name in names
    )


def heading(text: str, line: str = "=") -> str:
    """A heading, underlined."""
    return f"{text}\n{line * len(text)}\n\n"


def write_frame(folder: Path, title: str, path: str) -> list[str]:
    """The pages of a class: the class with its construction, and one for each section."""
    kind, name = loaded(path), title.lower()
    sections: dict[str, list[str]] = {}
    for member, function in members(kind).items():
        sections.setdefault(section(function), []).append(member)
    pages = []
    for of, names in sorted(
        sections.items(), key=lambda item: (item[0] != "Construction and attributes", item[0])
    ):
        page = f"{name}-{of.lower().replace(' ', '-')}"
        text = heading(f"{title}: {of[0].lower()}{of[1:]}") + ".. currentmodule:: cuprum\n\n"
        if of == "Construction and attributes":
            text += directive("class", path)
        text += member_directives(path, kind, names)
        (folder / f"{page}.rst").write_text(text)
        pages.append(page)
    return pages


def write_accessor(folder: Path, name: str) -> str:
    """The page of an accessor of series."""
    path, page = f"cuprum.Series.{name}", f"series-{name}"
    kind = getattr(cuprum.Series, name)
    text = heading(f"Series.{name}") + ".. currentmodule:: cuprum\n\n" + (inspect.getdoc(kind) or "") + "\n\n"
    (folder / f"{page}.rst").write_text(text + member_directives(path, kind, members(kind)))
    return page


def write_classes(folder: Path, page: str, title: str, classes: dict[str, str]) -> str:
    """One page of several classes with all of their own members."""
    text = heading(title)
    for name, path in classes.items():
        kind = loaded(path)
        text += heading(name, "-") + directive("class", path) + member_directives(path, kind, members(kind))
    (folder / f"{page}.rst").write_text(text)
    return page


def write_module(
    folder: Path, module: ModuleType, names: Iterable[str], page: str, title: str, written: set[int]
) -> str | None:
    """The page of a module: its functions, and its classes with their members, but for what is written elsewhere."""
    functions, classes = "", ""
    for name in sorted(names):
        thing, path = getattr(module, name, None), f"{module.__name__}.{name}"
        if not is_ours(thing) or name.startswith("_") or id(thing) in written:
            continue
        written.add(id(thing))
        if inspect.isclass(thing):
            classes += directive("class", path) + member_directives(path, thing, members(thing))
        elif callable(thing):
            functions += directive("function", path)
    if not functions and not classes:
        return None
    about = "" if module is cuprum else f".. automodule:: {module.__name__}\n   :no-index:\n\n"
    (folder / f"{page}.rst").write_text(heading(title) + about + functions + classes)
    return page


def write_pandas_own(folder: Path) -> str:
    """The page of names that lead to pandas: of the package, and methods of frames and series."""
    text = heading("Names of pandas")
    text += "What is pandas' own, under the same name here; pandas' documentation has the reference.\n\n"
    text += (
        heading("In the package", "-")
        + "".join(f"- ``cuprum.{name}``\n" for name in sorted(cuprum._OF_PANDAS))
        + "\n"
    )
    for title, path in FRAMES.items():
        kind = loaded(path)
        through = [name for name in dir(kind) if isinstance(inspect.getattr_static(kind, name), OfPandas)]
        if through:
            text += heading(f"Methods of {title}, of what ``to_pandas`` gives", "-")
            text += "".join(f"- ``{title}.{name}``\n" for name in sorted(through)) + "\n"
    (folder / "pandas-own.rst").write_text(text)
    return "pandas-own"


def modules_of(package: ModuleType, without: tuple[str, ...]) -> list[ModuleType]:
    """The public modules below a package, but for those that begin so."""
    names = (info.name for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."))
    return [
        importlib.import_module(name)
        for name in names
        if not any(part.startswith("_") for part in name.split(".")) and not name.startswith(without)
    ]


def public(module: ModuleType) -> list[str]:
    """The public names of a module."""
    return list(vars(module).get("__all__", dir(module)))


def write(folder: Path) -> None:
    """All pages, and the tables of contents."""
    made = folder / "made"
    made.mkdir(parents=True, exist_ok=True)
    for page in made.glob("*.rst"):
        page.unlink()

    for name, path in ACCESSORS.items():
        setattr(cuprum.Series, name, loaded(path))
    frames = {title: write_frame(made, title, path) for title, path in FRAMES.items()}
    typing = "cuprum.api.typing"
    others = [
        *(write_accessor(made, name) for name in ACCESSORS),
        write_classes(made, "indexes", "Kinds of indexes", {name: f"cuprum.{name}" for name in INDEXES}),
        write_classes(
            made,
            "groups-and-windows",
            "Groups and windows",
            {name: f"{typing}.{name}" for name in GROUPS_AND_WINDOWS},
        ),
    ]
    top = [name for name in public(cuprum) if name not in {*FRAMES, *INDEXES}]
    written: set[int] = set()
    functions = write_module(made, cuprum, top, "functions", "Functions, options and dtypes", written)
    internal = ("cuprum.core", "cuprum.io.", "cuprum.dask", "cuprum.forks", "cuprum.api.typing")
    named = [importlib.import_module(name) for name in ("cuprum.core.buffer", "cuprum.io.parquet")]
    modules = [
        write_module(made, module, public(module), module.__name__, module.__name__, written)
        for module in [*modules_of(cuprum, internal), *named]
    ]
    low = [
        write_module(made, module, public(module), module.__name__, module.__name__, written)
        for module in modules_of(pylibcuprum, ("pylibcuprum.io.options",))
    ]

    def toctree(title: str, pages: Iterable[str | None]) -> str:
        entries = "".join(f"   made/{page}\n" for page in pages if page)
        return heading(title, "-") + f".. toctree::\n   :maxdepth: 1\n\n{entries}\n"

    text = heading("Reference") + "Every public name, with its parameters, results, errors and examples.\n\n"
    text += toctree("Functions", [functions, write_pandas_own(made)])
    for title, pages in frames.items():
        text += toctree(title, pages)
    text += toctree("Accessors, indexes, groups and windows", others)
    text += toctree("Modules of cuprum", modules)
    text += toctree("pylibcuprum", low)
    text += (
        heading("Rust", "-")
        + "The crate ``cuprum`` and those beneath it: `rustdoc <../rust/cuprum/index.html>`__.\n"
    )
    (folder / "index.rst").write_text(text)
