"""Writes the pages of the reference: every public name, from the docstrings.

The methods of frames, series and indexes stand in one page for each file of `cuprum/core` that defines them, under the
name of the file: these are the sections of the reference. Every page begins with a table of its names.
"""

import importlib
import inspect
import pkgutil
import types
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import settings

import cuprum
import pylibcuprum
from cuprum.core.through_pandas import OfPandas

# Classes with pages of sections.
FRAMES = ["DataFrame", "Series", "Index"]
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
# Headings of files that say less than one should, or hold little: files of one heading share a page.
HEADINGS = {
    **dict.fromkeys(
        ["dataframe", "series", "index", "attributes", "copy_on_write"], "Construction and attributes"
    ),
    **dict.fromkeys(["avro", "feather", "json", "orc", "parquet", "writing"], "Writing files"),
    **dict.fromkeys(["melt", "pivot", "reshaping", "stack", "unstack"], "Reshaping"),
    **dict.fromkeys(["astype", "conversion"], "Conversion"),
    **dict.fromkeys(["devices", "interop", "pylibcudf_interop"], "Devices and other libraries"),
    **dict.fromkeys(["frame_apply", "series_apply"], "Functions of Python"),
    **dict.fromkeys(["index_columns", "labels"], "Labels"),
    **dict.fromkeys(["replace", "where"], "Replacing"),
    "columns": "Columns as a dict",
    "group_and_window": "Groups and windows",
    "indexed_frame": "Indexers and labels",
    "order": "Order and extremes",
    "query": "Formulas as text",
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
        # A method of the extension module, in a class of its own or of Python.
        module = getattr(getattr(thing, "__objclass__", None), "__module__", None) or ""
    return module.split(".")[0] in {"cuprum", "pylibcuprum"} and module != "cuprum._cuprum"


NATIVE = (
    types.BuiltinFunctionType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MethodDescriptorType,
)


def members(kind: type) -> dict[str, object]:
    """The public methods and properties of a class that are ours, by name."""
    found = {}
    for name in sorted(dir(kind)):
        value = inspect.getattr_static(kind, name)
        value = getattr(value, "__func__", value)
        function = value.fget if isinstance(value, property) else value
        if isinstance(function, NATIVE):
            # Of the extension module: with the class that has it, not with those that inherit it.
            ours = is_ours(kind) and name in vars(kind)
        else:
            ours = callable(function) and is_ours(function)
        if not name.startswith("_") and ours and inspect.getdoc(function):
            found[name] = function
    return found


def kind_of(value: object) -> str:
    """The word of a member in autodoc's directives."""
    if inspect.isgetsetdescriptor(value):
        return "attribute"
    return "property" if isinstance(value, property) else "method"


def source(function: object) -> Path | None:
    """The file that defines a function; None for a method of the extension module."""
    try:
        return Path(inspect.getsourcefile(inspect.unwrap(function)) or "")
    except TypeError:
        return None


def section(function: object) -> str:
    """The name of the file that defines a function, as a heading."""
    file = source(function)
    # Methods of the extension module have the places of statistics in Python.
    stem = "statistics" if file is None else file.stem
    return HEADINGS.get(stem) or stem.replace("_", " ").capitalize() or "Further"


def summary(text: str | None) -> str:
    """The first sentence of a docstring."""
    return " ".join((text or "").strip().partition("\n\n")[0].split())


class Page(NamedTuple):
    """A page of the reference: its file's name, its title, and what it holds."""

    name: str
    title: str
    holds: str


class Entry(NamedTuple):
    """What an entry of the reference is of: a name in a module, and the first sentence of its docstring."""

    module: str
    name: str
    kind: str
    summary: str

    @property
    def path(self) -> str:
        """The name by which a user reaches it."""
        return f"{self.module}.{self.name}"

    def directive(self) -> str:
        """The directive of autodoc. The colons say what is the module: `str` is none of `cuprum.Series`."""
        return f".. auto{self.kind}:: {self.module}::{self.name}\n\n"


# Entries that are written, by their names.
written_entries: dict[str, Entry] = {}


def entry(module: str, name: str, kind: str, thing: object) -> Entry:
    """An entry for a name; a place where guides and other entries can lead to."""
    made = Entry(module, name, kind, summary(inspect.getdoc(thing)))
    written_entries[made.path] = made
    return made


def member_entries(module: str, path: str, kind: type, names: Iterable[str]) -> list[Entry]:
    """Entries for members of a class."""
    return [
        entry(
            module,
            f"{path}.{name}",
            kind_of(inspect.getattr_static(kind, name)),
            members(kind)[name],
        )
        for name in names
    ]


def heading(text: str, line: str = "=") -> str:
    """A heading, underlined."""
    return f"{text}\n{line * len(text)}\n\n"


def table(rows: Iterable[tuple[str, str]]) -> str:
    """A table of links and what stands behind them."""
    lines = "".join(f"   * - {link}\n     - {text}\n" for link, text in rows)
    return f".. list-table::\n   :class: names\n   :widths: 35 65\n\n{lines}\n" if lines else ""


def table_of(entries: Iterable[Entry]) -> str:
    """The table of the names of entries."""
    return table(
        (f":py:obj:`{made.name.removeprefix('Series.')} <{made.path}>`", made.summary) for made in entries
    )


def directives(entries: Iterable[Entry]) -> str:
    """The entries themselves."""
    return "".join(made.directive() for made in entries)


def listed(names: list[str], most: int = 8) -> str:
    """The first of many names."""
    return ", ".join(f"``{name}``" for name in names[:most]) + (", …" if len(names) > most else "")


def write_frame(folder: Path, title: str) -> list[Page]:
    """The pages of a class: the class with its construction, and one for each section."""
    kind, sections = getattr(cuprum, title), {}
    for member, function in members(kind).items():
        if not (title == "Series" and member in ACCESSORS):
            sections.setdefault(section(function), []).append(member)
    pages = []
    for of, names in sorted(
        sections.items(), key=lambda item: (item[0] != "Construction and attributes", item[0])
    ):
        page = f"{title.lower()}-{of.lower().replace(' ', '-')}"
        entries = member_entries("cuprum", title, kind, names)
        holds = listed(names)
        if of == "Construction and attributes":
            entries.insert(0, entry("cuprum", title, "class", kind))
            holds = f"the class; {holds}"
        title_of_page = f"{title}: {of[0].lower()}{of[1:]}"
        (folder / f"{page}.rst").write_text(heading(title_of_page) + table_of(entries) + directives(entries))
        pages.append(Page(page, title_of_page, holds))
    return pages


def write_accessor(folder: Path, name: str) -> Page:
    """The page of an accessor of series."""
    kind = loaded(ACCESSORS[name])
    entries = member_entries("cuprum", f"Series.{name}", kind, members(kind))
    about = f".. currentmodule:: cuprum\n\n{inspect.getdoc(kind) or ''}\n\n"
    text = heading(f"Series.{name}") + about + table_of(entries) + directives(entries)
    page = Page(f"series-{name}", f"Series.{name}", summary(kind.__doc__))
    (folder / f"{page.name}.rst").write_text(text)
    return page


def write_classes(folder: Path, page: Page, module: str, names: Iterable[str], base: type = object) -> Page:
    """One page of several classes with their members, but for those that they have of a class."""
    text = heading(page.title)
    for name in names:
        kind = getattr(importlib.import_module(module), name)
        own = [
            member
            for member in members(kind)
            if inspect.getattr_static(kind, member) is not inspect.getattr_static(base, member, None)
        ]
        first, entries = entry(module, name, "class", kind), member_entries(module, name, kind, own)
        text += heading(name, "-") + directives([first])
        if base is not object:
            text += f"Beside what every :py:class:`cuprum.{base.__name__}` has:\n\n"
        text += table_of(entries) + directives(entries)
    (folder / f"{page.name}.rst").write_text(text)
    return page


def write_module(
    folder: Path, module: ModuleType, names: Iterable[str], page: str, title: str, written: set[int]
) -> Page | None:
    """The page of a module: its functions, and its classes with their members, but for what is written elsewhere."""
    functions, classes, shown = [], [], []
    for name in sorted(names):
        thing = getattr(module, name, None)
        if not is_ours(thing) or name.startswith("_") or id(thing) in written:
            continue
        written.add(id(thing))
        if inspect.isclass(thing):
            classes.append(entry(module.__name__, name, "class", thing))
            shown.append(classes[-1])
            classes += member_entries(module.__name__, name, thing, members(thing))
        elif callable(thing):
            functions.append(entry(module.__name__, name, "function", thing))
    if not functions and not classes:
        return None
    about = "" if module is cuprum else f".. automodule:: {module.__name__}\n   :no-index:\n\n"
    text = heading(title) + about + table_of([*functions, *shown]) + directives([*functions, *classes])
    (folder / f"{page}.rst").write_text(text)
    if module is cuprum:
        return Page(page, title, "what reads files, makes, joins and reshapes frames, and sets options")
    return Page(page, title, summary(module.__doc__))


def write_pandas_own(folder: Path) -> Page:
    """The page of names that lead to pandas: of the package, and methods of frames and series."""
    page = Page("pandas-own", "Names of pandas", "what is pandas' own, under the same name here")
    text = heading(page.title)
    text += "What is pandas' own, under the same name here; pandas' documentation has the reference.\n\n"
    text += (
        heading("In the package", "-")
        + "".join(f"- ``cuprum.{name}``\n" for name in sorted(cuprum._OF_PANDAS))
        + "\n"
    )
    for title in FRAMES:
        kind = getattr(cuprum, title)
        through = [name for name in dir(kind) if isinstance(inspect.getattr_static(kind, name), OfPandas)]
        if through:
            text += heading(f"Methods of {title}, of what ``to_pandas`` gives", "-")
            text += "".join(f"- ``{title}.{name}``\n" for name in sorted(through)) + "\n"
    (folder / f"{page.name}.rst").write_text(text)
    return page


def write_settings(folder: Path) -> Page:
    """The page of options and environment variables."""
    page = Page(
        "settings", "Options and environment variables", "defaults, values, and when each of them is read"
    )
    (folder / f"{page.name}.rst").write_text(settings.page())
    return page


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
    frames = {title: write_frame(made, title) for title in FRAMES}
    indexes = Page("indexes", "Kinds of indexes", listed(INDEXES))
    groups = Page("groups-and-windows", "Groups and windows", listed(GROUPS_AND_WINDOWS))
    others = [
        *(write_accessor(made, name) for name in ACCESSORS),
        write_classes(made, indexes, "cuprum", INDEXES, cuprum.Index),
        write_classes(made, groups, "cuprum.api.typing", GROUPS_AND_WINDOWS),
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

    def contents(title: str, pages: Iterable[Page | None]) -> str:
        there = [page for page in pages if page]
        entries = "".join(f"   made/{page.name}\n" for page in there)
        rows = table((f":doc:`made/{page.name}`", page.holds) for page in there)
        return heading(title, "-") + rows + f".. toctree::\n   :hidden:\n   :maxdepth: 1\n\n{entries}\n"

    text = heading("Reference") + "Every public name, with its parameters, results, errors and examples.\n\n"
    text += contents("Functions and settings", [functions, write_settings(made), write_pandas_own(made)])
    for title, pages in frames.items():
        text += contents(title, pages)
    text += contents("Accessors, indexes, groups and windows", others)
    text += contents("Modules of cuprum", modules)
    text += contents("pylibcuprum", low)
    text += (
        heading("Rust", "-")
        + "The crate ``cuprum`` and those beneath it: `rustdoc <../rust/cuprum/index.html>`__.\n"
    )
    (folder / "index.rst").write_text(text)
