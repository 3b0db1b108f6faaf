"""The columns of a text that our parser can read as it is: what it is asked for, and the frame that comes of it."""

from __future__ import annotations

import builtins
import csv
import types
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.construction import with_default_widths
from cuprum.core.error_classes import detail_of, has_detail, of_pandas, with_detail
from cuprum.core.objects import wrap_frame
from cuprum.core.tools.datetimes import to_datetime
from cuprum.io.csv.preprocess import DEFAULT_NA_VALUES, told_method
from cuprum.io.sources import name_of

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series

__all__ = ["Request", "check_names", "columns_of", "labelled", "names_of", "with_labels"]

# The arguments of `read_csv` by name. Settled ones have no dialect, and one separator, or a pattern.
Request = dict[str, Any]


def check_names(source: Any, request: Request) -> None:
    """Refuse more names than the line of names has, and the first row: as pandas does, unless there are no rows."""
    names, header = request["names"], request["header"]
    if names is None or header is None or header == "infer" or request["nrows"] == 0:
        return
    try:
        structure = _Columns(source, request).structure()
        del structure["names"]
        found = max(
            len(_cuprum.csv_header_fields(source, structure | {"header": row}))
            for row in (header, header + 1)
        )
    except ValueError:
        return
    if len(names) > found:
        raise of_pandas("ParserError", f"Too many columns specified: expected {len(names)} and found {found}")


def columns_of(source: Any, request: Request) -> DataFrame:
    """Return the frame of a text that our parser can read as it is."""
    try:
        return _Columns(source, request).frame()
    except ValueError as error:
        if (
            not request["parse_dates"]
            or has_detail(error, "MixedOffsets")
            or has_detail(error, "UnknownColumn")
        ):
            raise
        # Times that are not written as ISO 8601 says: their fields are read as texts.
        try:
            return _Columns(source, request, dates_as_texts=True).frame()
        except ValueError as error:
            if has_detail(error, "MixedOffsets"):
                raise error from None
        raise


def names_of(source: Any, request: Request) -> list[str]:
    """Return the names of all columns of a text, as our parser has them."""
    return _Columns(source, request).names()


def with_labels(source: Any, request: Request) -> Request | None:
    """Return the same of rows that begin with labels: the first has more fields than there are names, as pandas has it.

    Where ``index_col=False`` says that they begin with no labels, the same of as many columns as there are names.
    """
    names = request["names"]
    if names is not None and request["index_col"] is False and request["usecols"] is None:
        return request | {"usecols": list(range(len(names)))}
    if not _may_begin_with_labels(request):
        return None
    try:
        reading = _Columns(source, request)
        _cuprum.read_csv(source, reading.structure() | {"nrows": 1})
    except ValueError as error:
        match detail_of(error):
            case ("NameCount", _, fields):
                return labelled(request, names, fields - len(names))
            case ("FieldCount", found, expected) if names is None:
                return labelled(request, reading.names(), found - expected)
    return None


def _may_begin_with_labels(request: Request) -> bool:
    """Whether fields before those that have names are the labels of their row."""
    usecols = request["usecols"]
    references = [
        request[name] for name in ("dtype", "na_values", "converters", "date_format", "parse_dates")
    ]
    return not (
        request["index_col"] is not None
        or (request["header"] is None and request["names"] is None)
        or is_list_like(request["header"])
        # pandas takes dates of another column than the one that is named.
        or is_list_like(request["parse_dates"])
        # Positions are those of the columns without the labels.
        or any(isinstance(one, int) for value in references if is_list_like(value) for one in value)
        or not (usecols is None or callable(usecols) or _are_names(usecols))
    )


def labelled(request: Request, names: list[Any], count: int) -> Request | None:
    """Return the same of rows that begin with so many labels; None where they are fields too many."""
    usecols = request["usecols"]
    # Where all columns are wanted by name, pandas takes the last fields for those that are too many.
    all_are_wanted = usecols is not None and not callable(usecols) and len(set(usecols)) == len(names)
    if not _may_begin_with_labels(request) or all_are_wanted:
        return None
    labels = [f"{_ROW_LABELS}{label}" for label in range(count)]
    if callable(usecols):
        usecols = filter(usecols, names)
    given = request["names"] is not None
    return request | {
        "names": [*labels, *names],
        "header": 0 if request["header"] == "infer" and not given else request["header"],
        "index_col": list(range(len(labels))),
        "usecols": None if usecols is None else [*labels, *usecols],
    }


# The names of row labels that have no name.
_ROW_LABELS = "Unnamed: row labels "


def _are_names(columns: Any) -> bool:
    """Whether these are some names."""
    return is_list_like(columns) and len(columns) > 0 and all(isinstance(one, str) for one in columns)


def _missing_dates(columns: str) -> ValueError:
    message = f"Missing column provided to 'parse_dates': {columns}"
    return with_detail(ValueError(message), "UnknownColumn", "parse_dates")


class _Columns:
    """One reading: the options of our parser, and what is done with its columns afterwards."""

    def __init__(self, source: Any, request: Request, *, dates_as_texts: bool = False) -> None:
        self._source, self._request = source, request
        # Of a piece, by the first one.
        self._found: list[str] | None = request.get("all_names")
        self._later: list[tuple[str, Callable[[Series], Series]]] = []
        self._options: dict[str, Any] = {}
        self._labels = self._index_columns()
        self._put_structure()
        self._put_columns()
        self._put_types()
        self._put_missing()
        self._put_dates(dates_as_texts)
        self._put_converters()

    def _put_structure(self) -> None:
        request, options = self._request, self._options
        for name, default in _PLAIN.items():
            if request[name] != default and request[name] is not None:
                options[name] = request[name]
        if request["header"] != "infer":
            options["header"] = request["header"]
        if request["names"] is not None:
            options["names"] = [str(name) for name in request["names"]]
        is_later = "most_fields" in request  # a piece, which the first row of the file is not in
        if request["index_col"] is False or (is_later and request["usecols"] is not None):
            options["drop_extra_fields"] = True
            if is_later:
                options["most_fields"] = request["most_fields"]
        compression = told_method(request["compression"])
        if compression != "infer":
            options["compression"] = compression

    def _put_columns(self) -> None:
        usecols = self._request["usecols"]
        if callable(usecols):
            self._options["usecols"] = [
                i for i, name in enumerate(self.names()) if usecols(self._label(name))
            ]
        elif usecols is not None:
            if isinstance(usecols, str) or not is_list_like(usecols):
                raise ValueError(
                    "'usecols' must either be list-like of all strings, all unicode, all integers or a callable."
                )
            self._options["usecols"] = [self._reference(one) for one in usecols]

    def _put_types(self) -> None:
        request = self._request
        given = request["dtype"]
        if given is None:
            return
        if isinstance(given, defaultdict) and given.default_factory is not None:
            known = {self._name(column): to for column, to in {**given, **self._again(given)}.items()}
            given = {name: known[name] if name in known else given.default_factory() for name in self.names()}
        if isinstance(given, (list, tuple)):
            given = self._one_each(given)
        if not isinstance(given, Mapping):
            if not (_is_categorical(given) or _is_decimal(given)):
                self._options["dtype"] = given
                return
            given = dict.fromkeys(self.names(), given)
        types_of: dict[Any, Any] = {}
        for column, to in {**given, **self._again(given)}.items():
            if _is_categorical(to):
                read_as, make = _type_of_categories(to), _astype(to)
                if read_as is None and (request["decimal"] != "." or request["thousands"] is not None):
                    read_as, make = "str", self._categories_of_texts(to)
                if read_as is not None:
                    types_of[self._reference(column)] = read_as
                self._later.append((self._name(column), make))
            elif _is_decimal(to):
                types_of[self._reference(column)] = "str"
                self._later.append((self._name(column), self._decimals(self._name(column), to)))
            else:
                types_of[self._reference(column)] = to
        self._options["dtype"] = types_of

    def _one_each(self, given: Sequence[Any]) -> dict[Any, Any]:
        """Return a list of types, one for each column of the file, by column."""
        names = self.names()
        if len(given) != len(names):
            raise ValueError(f"`dtype` has {len(given)} types for {len(names)} columns")
        return dict(zip(names, given, strict=True))

    def _decimals(self, name: str, to: Any) -> Callable[[Series], Series]:
        """Return what makes decimals of the texts of a column."""
        marks = [(self._request["thousands"], ""), (self._request["decimal"], ".")]

        def made(texts: Series) -> Series:
            for mark, plain in marks:
                if mark is not None and mark != plain:
                    texts = texts.str.replace(mark, plain, regex=False)
            try:
                return texts.astype(to)
            except (ValueError, OverflowError) as error:
                raise type(error)(f"{name_of(self._source)}: column {name!r}: {error}") from None

        return made

    def _types_of_present(self) -> dict[Any, Any]:
        """The types without those of columns that are not there: one choice may be made for several files."""
        names = self.names()
        return {
            column: to
            for column, to in self._options["dtype"].items()
            if column in names or (isinstance(column, int) and 0 <= column < len(names))
        }

    def _categories_of_texts(self, to: Any) -> Callable[[Series], Series]:
        """Return what makes categories of a column that is no numbers by these marks: truth values, else texts."""
        truths = dict.fromkeys(["True", "TRUE", "true", *(self._request["true_values"] or ())], True)
        truths |= dict.fromkeys(["False", "FALSE", "false", *(self._request["false_values"] or ())], False)

        def made(texts: Series) -> Series:
            known = set(texts.dropna().unique())
            return (texts.map(truths) if known and known <= set(truths) else texts).astype(to)

        return made

    def _again(self, types_of: Mapping[Any, Any]) -> dict[str, Any]:
        """The type of a column is also that of another one of the same name, `a.1`."""
        request = self._request
        own = isinstance(types_of, defaultdict) or any(
            _is_categorical(to) or _is_decimal(to) for to in types_of.values()
        )
        # Our parser knows by itself what is not a function or categories.
        if not ("fields" in request or (own and request["names"] is None)):
            return {}
        return {
            name: types_of[field]
            for name, field in zip(self.names(), self._fields(), strict=False)
            if name != field and field in types_of and name not in types_of
        }

    def _put_missing(self) -> None:
        request, options = self._request, self._options
        keep, given = request["keep_default_na"], request["na_values"]
        if not request["na_filter"]:
            options["keep_default_na"] = False
            return
        if not keep:
            options["keep_default_na"] = False
        if isinstance(given, Mapping):
            names = self.names()
            own = {}
            for column, words in given.items():
                if column in names or (isinstance(column, int) and column < len(names)):
                    own[self._reference(column)] = [*(DEFAULT_NA_VALUES if keep else ()), *_spellings(words)]
            if own:
                options["na_values_of"] = own
        elif given is not None:
            options["na_values"] = _spellings(given)

    def _put_dates(self, as_texts: bool) -> None:
        request = self._request
        dates, form = request["parse_dates"], request["date_format"]
        columns = self._labels if dates is True else list(dates or ())
        if columns and request["usecols"] is not None:
            columns = self._among_used(columns)
        plain = []
        for column in columns:
            own = form
            if isinstance(form, Mapping):
                name = column if column in form else self._label(self._name(column))
                own = form.get(name)
            if own is None and not request["dayfirst"] and not as_texts:
                plain.append(self._reference(column))
                continue
            if self._name(column) not in self.names():
                raise _missing_dates(repr(column))
            self._set_type(column, "str")
            self._later.append((self._name(column), self._dates_of(own)))
        if plain:
            self._options["parse_dates"] = plain

    def _among_used(self, columns: list[Any]) -> list[Any]:
        """The columns of dates where not all are read: a position is one among those that are."""
        wanted = {self._name(one) for one in self._options["usecols"]}
        used = {self._label(name): name for name in self.names() if name in wanted}
        missing = [column for column in columns if isinstance(column, str) and column not in used]
        if missing:
            raise _missing_dates(repr(", ".join(missing)))
        labels = list(used)
        for column in columns:
            if isinstance(column, int) and column in used and labels[column : column + 1] != [column]:
                raise NotImplementedError(
                    f"`parse_dates` has {column}, which is the name of one column that is read and the position of another"
                )
        try:
            return [column if column in used else labels[column] for column in columns]
        except IndexError:
            raise IndexError(f"`parse_dates` is {columns!r}; {len(used)} columns are read") from None

    def _dates_of(self, form: str | None) -> Callable[[Series], Series]:
        dayfirst = self._request["dayfirst"]

        def times(texts: Series) -> Series:
            if form is None and not dayfirst:
                try:
                    return to_datetime(texts, format="ISO8601")
                except ValueError as error:
                    if has_detail(error, "MixedOffsets"):
                        raise
            try:
                return to_datetime(texts, format=form, dayfirst=dayfirst)
            except ValueError as error:
                if has_detail(error, "MixedOffsets"):
                    raise
                return texts  # as pandas does where one of them is no time

        return times

    def _put_converters(self) -> None:
        for column, function in (self._request["converters"] or {}).items():
            names = self.names()
            if column not in names and not (isinstance(column, int) and column < len(names)):
                continue
            self._set_type(column, "str")
            options, reference = self._options, self._reference(column)
            words = [*(DEFAULT_NA_VALUES if options.get("keep_default_na", True) else ())]
            words += options.get("na_values", ())
            own = options.setdefault("na_values_of", {})
            # Words may be given by the label where the function is by the position, and the other way round.
            given = [key for key in own if self._name(key) == self._name(column)]
            missing = frozenset(words)
            for key in given:
                missing = frozenset(own.pop(key))
            own[reference] = []
            self._later.append((self._name(column), partial(_converted, function, missing)))

    def _set_type(self, column: Any, to: Any) -> None:
        types_of = self._options.get("dtype", {})
        if not isinstance(types_of, dict):
            types_of = dict.fromkeys(self.names(), types_of)
        name = self._name(column)
        # By the position: a label stands for its repetitions, `a.1` and so on, too.
        self._options["dtype"] = {key: one for key, one in types_of.items() if self._name(key) != name} | {
            self.names().index(name): to
        }

    def names(self) -> list[str]:
        """The names of all columns of the file, as our parser has them."""
        if self._found is None:
            self._found = _cuprum.read_csv(self._source, self.structure() | {"nrows": 0}).labels()
        return self._found

    def structure(self) -> dict[str, Any]:
        """The options that say where lines and fields are."""
        keys = (
            "sep",
            "header",
            "names",
            "skiprows",
            "comment",
            "quotechar",
            "skip_blank_lines",
            "compression",
        )
        return {key: value for key, value in self._options.items() if key in keys}

    def _name(self, column: Any) -> str:
        """The name of a column that is given by its label or its position."""
        column = self._reference(column)
        return self.names()[column] if isinstance(column, int) else column

    def _label(self, name: str) -> Any:
        """The label of the column of this name."""
        request = self._request
        if "labels" in request:  # of fields that were cut before
            return request["labels"].get(name, name)
        if request["names"] is not None:
            return {str(label): label for label in request["names"]}.get(name, name)
        return int(name) if request["header"] is None else name

    def _reference(self, column: Any) -> Any:
        column = plain_label(column)
        names = self._request["names"]
        if names is not None and isinstance(column, int) and column in names:
            return str(column)
        return column if isinstance(column, (str, int)) else str(column)

    def _index_columns(self) -> list[Any]:
        given = self._request["index_col"]
        if given is None or given is False:
            return []
        if given is True:
            raise ValueError("The value of index_col couldn't be 'True'")
        return list(given) if is_list_like(given) else [given]

    def frame(self) -> DataFrame:
        """Read."""
        request = self._request
        try:
            frame = wrap_frame(_cuprum.read_csv(self._source, self._options))
        except (KeyError, IndexError) as error:
            match detail_of(error):
                case ("UnknownColumn", "usecols"):
                    raise ValueError(error.args[0]) from None
                case ("UnknownColumn", "parse_dates") if isinstance(error, KeyError):
                    raise _missing_dates(error.args[0]) from None
                case ("UnknownColumn", "dtype"):
                    self._options["dtype"] = self._types_of_present()
                    return self.frame()
            raise
        present = frame._handle.labels()
        if not present and request["usecols"] is not None and not self._labels:
            return wrap_frame(frame._handle.slice(0, 0))
        for name, change in self._later:
            if name in present:
                frame[name] = change(frame[name])
        if request["quoting"] == csv.QUOTE_NONNUMERIC:
            frame = self._floats(frame)
        handle = self._as_wide_as_wanted(frame._handle)
        handle = handle.with_labels([self._label(str(label)) for label in handle.labels()])
        labels = self._labels
        if labels:
            own = handle.labels()
            try:
                labels = [own[i] if isinstance(i, int) else i for i in labels]
            except IndexError:
                raise IndexError(
                    f"`index_col` is {request['index_col']!r}; the file has {len(own)} columns"
                ) from None
            absent = [label for label in labels if label not in own]
            if absent:
                raise ValueError(f"Index {absent[0]} invalid: `index_col` names no column of the file")
            handle = handle.set_index(labels, True)
            unnamed = self._unnamed(handle.index().names())
            names_of = [None if name in unnamed else name for name in handle.index().names()]
            handle = handle.with_index(handle.index().with_names(names_of))
        return wrap_frame(handle)

    def _unnamed(self, labels: list[Any]) -> set[str]:
        """Those of the labels that stand for a name that is not there."""
        found = {label for label in labels if str(label).startswith("Unnamed: ")}
        of_rows = {label for label in found if label.startswith(_ROW_LABELS)}
        if found == of_rows or (self._request["names"] is not None and "fields" not in self._request):
            return of_rows
        names, fields = self.names(), self._fields()
        # Labels of rows come before the names.
        named = zip(names[len(names) - len(fields) :], fields, strict=False)
        return found & {self._label(name) for name, field in named if not field} if fields else found

    def _fields(self) -> list[str]:
        """The fields of the line of names, as they are in the file; none where that is not known."""
        if "fields" in self._request:  # of a text that was cut before
            return self._request["fields"]()
        return _cuprum.csv_header_fields(self._source, self.structure())

    def _as_wide_as_wanted(self, handle: Any) -> Any:
        """Numbers whose type nobody gave, in the widths of the options."""
        declared = self._options.get("dtype", {})
        if not isinstance(declared, dict):
            return handle
        given = {self._name(column) for column in declared}
        return with_default_widths(handle, [label not in given for label in handle.labels()])

    def _floats(self, frame: DataFrame) -> DataFrame:
        """Columns of whole numbers, whose type nobody gave, as floats: so say quotes around all but numbers."""
        declared = self._options.get("dtype", {})
        if not isinstance(declared, dict):
            return frame
        given = {self._name(column) for column in declared}
        whole = [name for name in frame.columns if name not in given and frame[name].dtype.kind in "iu"]
        return frame.astype(dict.fromkeys(whole, "float64")) if whole else frame


# Arguments that our parser knows by the same name, with the values that have no effect.
_PLAIN: dict[str, Any] = {
    "sep": ",",
    "nrows": None,
    "skiprows": None,
    "comment": None,
    "thousands": None,
    "decimal": ".",
    "quotechar": '"',
    "skip_blank_lines": True,
    "true_values": None,
    "false_values": None,
}


def _astype(to: Any) -> Callable[[Series], Series]:
    return lambda texts: texts.astype(to)


def _is_categorical(dtype: Any) -> bool:
    return (isinstance(dtype, str) and dtype == "category") or type(dtype).__name__ == "CategoricalDtype"


def _is_decimal(dtype: Any) -> bool:
    try:
        return _cuprum.DType(dtype).precision is not None
    except (TypeError, ValueError, NotImplementedError):
        return False


def _type_of_categories(dtype: Any) -> Any:
    """The type that the values of a column are read as before they become categories; None for what they look like."""
    categories = getattr(dtype, "categories", None)
    return None if categories is None else str(categories.dtype)


def _spellings(words: Any) -> list[str]:
    """The texts that stand for what a user calls missing: of a number, both with a fraction and without."""
    found: list[str] = []
    for word in words if is_list_like(words) else [words]:
        found.append(str(word))
        try:
            number = float(word)
        except (TypeError, ValueError):
            continue
        if number == number and abs(number) < 1e15 and number == int(number):
            found += [f"{int(number)}.0", str(int(number))]
        if not isinstance(word, str):
            found.append(str(number))
    return list(dict.fromkeys(found))


# Functions without a memory: called once for every text.
_PURE = (type, types.BuiltinFunctionType, types.MethodDescriptorType)


def _is_number(text: str) -> bool:
    """Whether a text is a number other than NaN, which is missing in any case."""
    try:
        number = float(text)
    except ValueError:
        return False
    return number == number


def _converted(function: Callable[[str], Any], missing: frozenset[str], texts: Series) -> Series:
    """The results of a user's function of every field that is not missing."""
    fields = texts._handle.column().to_pylist("")
    if isinstance(function, _PURE) and function not in (builtins.input, builtins.print):
        known: dict[str, Any] = {}
        for field in fields:
            if field not in known:
                known[field] = function(field)
        results = [known[field] for field in fields]
    else:
        results = [function(field) for field in fields]
    plain = (str, int, float) if any(map(_is_number, missing)) else (str,)
    results = [None if type(one) in plain and str(one) in missing else one for one in results]
    return objects.Series(results, index=texts.index, name=texts.name)
