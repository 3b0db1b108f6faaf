"""Settings, read and set by name as in pandas.

Options of printing (``display``) that nobody has set here are as they are in pandas, where it is imported.

Options that a text can say have an environment variable, ``CUPRUM_`` and the name in capitals with
underscores (``CUPRUM_DISPLAY_MAX_ROWS``), else the same after ``CUDF_``, which is read when the package
is imported. Truth values are ``1``, ``on``, ``true``, ``yes`` and their opposites.

The values of some options live in the extension module, which has read the environment itself: those
have a function that tells the value and one that sets it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from cuprum import _cuprum
from cuprum._cuprum import Device

__all__ = [
    "compute",
    "describe_option",
    "display",
    "future",
    "get_option",
    "io",
    "mode",
    "option_context",
    "plotting",
    "reset_option",
    "set_eng_float_format",
    "set_option",
    "styler",
]


def _count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"option '{name}' must be a non-negative integer, not {value!r}")
    return value


def _count_or_none(name: str, value: Any) -> int | None:
    return None if value is None else _count(name, value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"option '{name}' must be True or False, not {value!r}")
    return value


def _bits(name: str, value: Any) -> int | None:
    if value not in (None, 32, 64) or isinstance(value, bool):
        raise ValueError(f"option '{name}' must be None, 32 or 64, not {value!r}")
    return value


def _as_pandas(name: str, value: Any) -> Any:
    """Let pandas check the value of an option that its printing has, too."""
    import pandas as pd

    try:
        with pd.option_context(name, value):
            return value
    except ValueError as error:
        raise ValueError(f"option '{name}' cannot be {value!r}: {error}") from None


def _one_of(*values: Any) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> Any:
        if not any(value is known or (isinstance(value, str) and value == known) for known in values):
            raise ValueError(f"option '{name}' must be {' or '.join(map(repr, values))}, not {value!r}")
        return value

    return check


def _device(name: str, value: Any) -> str:
    try:
        return str(Device(value))
    except TypeError:
        raise ValueError(f"option '{name}' must be the name of a device, not {value!r}") from None


def _fallback(name: str, value: Any) -> str:
    if value not in ("error", "warn", "host"):
        raise ValueError(f"option '{name}' must be 'error', 'warn' or 'host', not {value!r}")
    return value


def _path_or_none(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise ValueError(f"option '{name}' must be a directory or None, not {value!r}")
    return None if value is None else os.fspath(value)


def _to_flag(text: str) -> bool:
    if text.lower() in ("1", "on", "true", "yes"):
        return True
    if text.lower() in ("0", "off", "false", "no"):
        return False
    raise ValueError(f"{text!r} is no truth value")


def _to_count(text: str) -> int | None:
    return None if text.lower() == "none" else int(text)


def _in_notebook() -> bool:
    """Whether this is a kernel of Jupyter, whose windows scroll."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return hasattr(shell, "kernel")


class _Options:
    """Options as attributes: ``options.display.max_rows``."""

    __slots__ = ("_prefix",)

    def __init__(self, prefix: str) -> None:
        object.__setattr__(self, "_prefix", prefix)

    def _full(self, name: str) -> str:
        full = f"{self._prefix}.{name}"
        if full in _OPTIONS:
            return full
        raise _unknown(f"{full!r} is no option; known are {', '.join(_OPTIONS)}")

    def __getattr__(self, name: str) -> Any:
        if any(known.startswith(f"{self._prefix}.{name}.") for known in _OPTIONS):
            return _Options(f"{self._prefix}.{name}")
        return _value(self._full(name))

    def __setattr__(self, name: str, value: Any) -> None:
        set_option(self._full(name), value)

    def __dir__(self) -> list[str]:
        start = len(self._prefix) + 1
        return [name[start:].partition(".")[0] for name in _OPTIONS if name.startswith(f"{self._prefix}.")]


compute = _Options("compute")
display = _Options("display")
future = _Options("future")
io = _Options("io")
mode = _Options("mode")
plotting = _Options("plotting")
styler = _Options("styler")


class _Option(NamedTuple):
    """The values that an option may have, and the place of its value."""

    default: Any
    check: Callable[[str, Any], Any]
    description: str
    # The reader of a text in the environment; None where the extension module reads it.
    read: Callable[[str], Any] | None
    # The getter and the setter of a value that the extension module has.
    get: Callable[[], Any] | None = None
    set: Callable[[Any], None] | None = None


_OPTIONS: dict[str, _Option] = {
    "copy_on_write": _Option(
        False,
        _flag,
        "Whether shallow copies of what is made from now on do not see what is written to each other.",
        None,
        _cuprum.copy_on_write,
        _cuprum.set_copy_on_write,
    ),
    "device": _Option(
        "auto",
        _device,
        "Where data that come in live, and what is made of them: 'cpu', 'cuda', 'cuda:N', 'emulator', or 'auto' "
        "(the first GPU that works, else the CPU). What has no kernel follows the option `fallback`.",
        None,
        _cuprum.chosen_device,
        _cuprum.choose_device,
    ),
    "fallback": _Option(
        "warn",
        _fallback,
        "What becomes of work on a GPU without a kernel: 'warn' (the CPU does it, with a warning for each function), "
        "'host' (silently) or 'error' (refused).",
        None,
        _cuprum.fallback,
        _cuprum.set_fallback,
    ),
    "mode.pandas_compatible": _Option(
        True,
        _flag,
        "Whether comparisons and logic with a missing element are as in pandas (False; of != True), not missing as in "
        "cuDF, where a missing condition keeps no row; off, NaN that comes in is missing, too. Nothing else depends on "
        "it: integers with missing elements stay integers, labels of an Index compare as in pandas, and rows of groups "
        "and joins come in pandas' order either way.",
        _to_flag,
        _cuprum.pandas_compatible,
        _cuprum.set_pandas_compatible,
    ),
    "mode.chained_assignment": _Option(
        "warn",
        _one_of("warn", "raise", None),
        "Whether elements that are set in what nobody else has, which is lost, give a warning ('warn'), an error "
        "('raise') or nothing (None).",
        None,
    ),
    "mode.late_rows": _Option(
        1 << 15,
        _count_or_none,
        "From how many rows on the columns of what is joined, filtered and sorted are taken, and those of a Parquet "
        "file decoded, when they are read, and not before: those that nobody reads cost nothing. None for never. "
        "Values and order are the same either way.",
        _to_count,
        _cuprum.late_rows,
        _cuprum.set_late_rows,
    ),
    "mode.deferred": _Option(
        "on",
        _one_of("off", "on", "check", "trace"),
        "Whether joins and filters of many rows find them when somebody asks for elements, filters first ('on'), or at "
        "once ('off'). Rows, order, labels and errors are the same either way; 'check' does both and compares them, "
        "'trace' prints the lines that have rows found.",
        str.lower,
        _cuprum.deferral,
        _cuprum.set_deferral,
    ),
    "mode.copy_on_write": _Option(
        False,
        _flag,
        "The option `copy_on_write`.",
        None,
        _cuprum.copy_on_write,
        _cuprum.set_copy_on_write,
    ),
    "mode.performance_warnings": _Option(
        True,
        _flag,
        "Whether `errors.PerformanceWarning` is given where a function is called for each of many elements, rows or "
        "groups (more than 10 000, or for more than 0.2 s).",
        _to_flag,
    ),
    "default_integer_bitwidth": _Option(
        None,
        _bits,
        "Bits of integers whose type nothing says: of Python's objects, of CSV and JSON, of ranges of labels that become "
        "a column. 32, 64, or None: as pandas has them. What 32 bits do not hold stays at 64.",
        _to_count,
        partial(_cuprum.default_bitwidth, "integer"),
        partial(_cuprum.set_default_bitwidth, "integer"),
    ),
    "default_float_bitwidth": _Option(
        None,
        _bits,
        "Bits of floats whose type nothing says: of Python's objects, of CSV and JSON. 32, 64, or None: as pandas has "
        "them.",
        _to_count,
        partial(_cuprum.default_bitwidth, "float"),
        partial(_cuprum.set_default_bitwidth, "float"),
    ),
    "display.max_rows": _Option(
        60, _count_or_none, "Frames of more rows are cut in the middle; None: never.", _to_count
    ),
    "display.min_rows": _Option(
        10, _count_or_none, "The rows that stay of a frame that is cut; None: max_rows.", _to_count
    ),
    "display.max_columns": _Option(
        20 if _in_notebook() else 0,
        _count_or_none,
        "Frames of more columns are cut in the middle; None: never; 0, which it is where there is no notebook: as many "
        "as fit the terminal.",
        _to_count,
    ),
    "display.width": _Option(
        80,
        _count_or_none,
        "Characters in a line where the terminal does not tell; None: no limit.",
        _to_count,
    ),
    "display.max_colwidth": _Option(50, _count_or_none, "Characters in a cell; None: no limit.", _to_count),
    "display.precision": _Option(6, _count, "Digits after the decimal point.", _to_count),
    "display.show_dimensions": _Option(
        "truncate",
        _one_of(True, False, "truncate"),
        "Whether the shape is printed under every frame; 'truncate': under those that are cut.",
        _to_flag,
    ),
}

# Options of pandas' printing without a counterpart here: pandas prints frames where one of these is changed.
_PRINTED_BY_PANDAS: dict[str, tuple[Any, str]] = {
    "display.chop_threshold": (None, "Floats nearer to 0 are printed as 0; None: none."),
    "display.colheader_justify": ("right", "On which side column labels are: 'left' or 'right'."),
    "display.expand_frame_repr": (True, "Whether frames that are too wide go on below, not on long lines."),
    "display.float_format": (None, "A function that makes texts of floats."),
    "display.large_repr": ("truncate", "What becomes of frames of many rows: 'truncate' or 'info'."),
    "display.multi_sparse": (True, "Whether labels of outer levels that repeat are left out."),
    "display.html.border": (1, "The width of the border of tables in HTML."),
    "display.html.use_mathjax": (True, "Whether notebooks set texts between dollars as formulas."),
    "display.max_categories": (8, "The categories that are listed; 0: all."),
    "display.max_seq_items": (
        100,
        "The labels of an index, and elements of a list, that are printed; None: all.",
    ),
    "display.pprint_nest_depth": (3, "The levels of lists in lists that are printed."),
    "display.unicode.ambiguous_as_wide": (False, "Whether characters of ambiguous width take two columns."),
    "display.unicode.east_asian_width": (False, "Whether wide characters take two columns."),
    "mode.sim_interactive": (False, "Whether frames are printed as in a terminal, for tests."),
}
for _named, (_default, _text) in _PRINTED_BY_PANDAS.items():
    _OPTIONS[_named] = _Option(_default, _as_pandas, f"{_text} Printed by pandas.", None)
_OPTIONS |= {
    "display.max_dir_items": _Option(
        100, _count_or_none, "Labels that `dir` and the Tab key offer; None: all.", _to_count
    ),
    "display.notebook_repr_html": _Option(True, _flag, "Whether notebooks show frames as tables.", _to_flag),
    "display.max_info_columns": _Option(
        100, _count, "`info` has no lines for the columns of frames that have more.", _to_count
    ),
    "display.max_info_rows": _Option(
        1_690_785, _count_or_none, "`info` does not count in frames of more rows; None: in any.", _to_count
    ),
    "display.memory_usage": _Option(
        True, _flag, "Whether `info` tells how much memory a frame takes.", _to_flag
    ),
}
# Where nobody has set them, these are as they are in pandas: programs for cuDF set them there.
_SHARED_WITH_PANDAS = {"mode.sim_interactive", *(name for name in _OPTIONS if name.startswith("display."))}


def _spill_option(name: str, default: Any, check: Callable[[str, Any], Any], description: str) -> None:
    get, store = partial(_cuprum.spill_option, name), partial(_cuprum.set_spill_option, name)
    _OPTIONS[name] = _Option(default, check, description, None, get, store)


_spill_option("spill", False, _flag, "Whether memory made from now on may be moved to slower memory.")
_spill_option("spill_on_demand", True, _flag, "Whether an allocation that fails spills and is tried again.")
_spill_option(
    "spill_device_limit",
    None,
    _count_or_none,
    "Bytes that may be in use on each device, the CPU being one, before memory is spilled; None: no limit.",
)
_spill_option(
    "spill_host_limit",
    None,
    _count_or_none,
    "Bytes of host memory for columns of the CPU and what GPUs spilled together; None: no limit.",
)
_spill_option(
    "spill_directory",
    None,
    _path_or_none,
    "Where spilled memory is put on disk; None: the system's directory of temporary files.",
)
_spill_option(
    "spill_stats",
    0,
    _count,
    "What is counted: 0 nothing, 1 bytes and seconds of moves, 2 also who exposed memory.",
)


def _value_in_pandas(name: str, default: Any) -> Any:
    pandas = sys.modules.get("pandas")
    return default if pandas is None else pandas.get_option(name)


def _set_in_pandas(name: str, value: Any) -> None:
    import pandas as pd

    pd.set_option(name, value)


# Options of what pandas does with what `to_pandas` gives: plots, styles, spreadsheets, databases.
_IN_PANDAS: dict[str, Any] = {
    "future.infer_freq_returns_offset": None,
    **dict.fromkeys((f"io.excel.{kind}.reader" for kind in ("ods", "xls", "xlsb", "xlsm", "xlsx")), "auto"),
    **dict.fromkeys((f"io.excel.{kind}.writer" for kind in ("ods", "xlsm", "xlsx")), "auto"),
    "io.hdf.default_format": None,
    "io.sql.engine": "auto",
    "plotting.backend": "matplotlib",
    "plotting.matplotlib.register_converters": "auto",
    "styler.format.decimal": ".",
    "styler.format.escape": None,
    "styler.format.formatter": None,
    "styler.format.na_rep": None,
    "styler.format.precision": 6,
    "styler.format.thousands": None,
    "styler.html.mathjax": True,
    "styler.latex.environment": None,
    "styler.latex.hrules": False,
    "styler.latex.multicol_align": "r",
    "styler.latex.multirow_align": "c",
    "styler.render.encoding": "utf-8",
    "styler.render.max_columns": None,
    "styler.render.max_elements": 262_144,
    "styler.render.max_rows": None,
    "styler.render.repr": "html",
    "styler.sparse.columns": True,
    "styler.sparse.index": True,
}
for _named, _default in _IN_PANDAS.items():
    _OPTIONS[_named] = _Option(
        _default,
        _as_pandas,
        "The option of pandas, which does this.",
        None,
        partial(_value_in_pandas, _named, _default),
        partial(_set_in_pandas, _named),
    )

# Options that no result here depends on, and the values that pandas knows.
_WITHOUT_EFFECT: dict[str, tuple[Any, Callable[[str, Any], Any]]] = {
    "compute.use_bottleneck": (True, _flag),
    "compute.use_numba": (False, _flag),
    "compute.use_numexpr": (True, _flag),
    "display.date_dayfirst": (False, _flag),
    "display.date_yearfirst": (False, _flag),
    "display.encoding": ("utf-8", _as_pandas),
    "future.no_silent_downcasting": (False, _flag),
    "mode.max_threads": (None, _count_or_none),
    "mode.string_storage": ("auto", _one_of("auto", "python", "pyarrow")),
}
for _named, (_default, _check) in _WITHOUT_EFFECT.items():
    _OPTIONS[_named] = _Option(_default, _check, "Has no effect: no result depends on it here.", None)

# Options that would change results and are not there: the values that can be had.
_ONE_WAY: dict[str, tuple[Any, ...]] = {
    "display.html.table_schema": (False,),
    "future.distinguish_nan_and_na": (False,),
    "future.infer_string": (True,),
    "future.python_scalars": (False,),
    "io.hdf.dropna_table": (False,),
    "io.parquet.engine": ("auto", "pyarrow"),
}
for _named, _known in _ONE_WAY.items():
    _OPTIONS[_named] = _Option(
        _known[0], _one_of(*_known), "Can be nothing else here: the other values of pandas are refused.", None
    )
# The values of the options that have no function that tells them, where they were set.
_values: dict[str, Any] = {}
_NOT_SET = object()


def _value(name: str) -> Any:
    option = _OPTIONS[name]
    if option.get is not None:
        return option.get()
    if name in _values:
        return _values[name]
    return _value_in_pandas(name, option.default) if name in _SHARED_WITH_PANDAS else option.default


def _as_set(name: str) -> Any:
    """Return what `_store` takes to bring back how an option is now."""
    return _value(name) if _OPTIONS[name].get is not None else _values.get(name, _NOT_SET)


def _set(values: dict[str, Any]) -> None:
    """Set options to values that have been checked: all, or after an error none."""
    before = {name: _as_set(name) for name in values}
    try:
        for name, value in values.items():
            _store(name, value)
    except BaseException:
        for name, value in before.items():
            _store(name, value)
        raise


def _store(name: str, value: Any) -> None:
    store = _OPTIONS[name].set
    if value is _NOT_SET:
        _values.pop(name, None)
    elif store is None:
        _values[name] = value
    elif value != _value(name):
        store(value)


def _names(pattern: Any) -> list[str]:
    """Return the options whose name is ``pattern``, or has it as a regular expression in it."""
    if pattern in _OPTIONS:
        return [pattern]
    if not isinstance(pattern, str):
        return []
    try:
        return [name for name in _OPTIONS if re.search(pattern, name, re.IGNORECASE)]
    except re.error:
        return []


def _unknown(message: str) -> Exception:
    """Return pandas' error of options, a ``KeyError`` and an ``AttributeError``."""
    from pandas.errors import OptionError

    return OptionError(message)


def _name(pattern: Any) -> str:
    """Return the one option that `_names` finds."""
    found = _names(pattern)
    if len(found) == 1:
        return found[0]
    known = ", ".join(found or _OPTIONS)
    problem = "is not one option" if found else "is no option"
    raise _unknown(f"{pattern!r} {problem}; known are {known}")


def get_option(pat: str) -> Any:
    """Return the value of an option.

    Parameters
    ----------
    pat : str
        The name of the option, or a regular expression that its name alone contains.

    Returns
    -------
    object
        The value.

    Raises
    ------
    OptionError
        A ``KeyError``, where no option or several have ``pat``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.get_option("display.max_rows")
    60
    >>> cuprum.get_option("max_colwidth")
    50
    """
    return _value(_name(pat))


def set_option(*args: Any) -> None:
    """Set options by their names.

    Parameters
    ----------
    *args
        Names and values in turn (``name, value, name, value, …``), or one dict of them. A name may be a
        regular expression that one option's name alone contains.

    Raises
    ------
    OptionError
        A ``KeyError``, for an unknown name; nothing is set then.
    ValueError
        For a value that the option cannot have, and a name without a value; nothing is set then.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.set_option("display.precision", 2)
    >>> cuprum.Series([1 / 3])
    0    0.33
    dtype: float64
    >>> cuprum.reset_option("display.precision")
    """
    _set(_checked(args))


def _checked(args: tuple[Any, ...]) -> dict[str, Any]:
    """Return by name the values that the arguments of `set_option` stand for."""
    if len(args) == 1 and isinstance(args[0], dict):
        args = tuple(part for pair in args[0].items() for part in pair)
    if not args or len(args) % 2:
        raise ValueError("set_option takes pairs of a name and a value")
    names = [_name(pattern) for pattern in args[::2]]
    return {name: _OPTIONS[name].check(name, value) for name, value in zip(names, args[1::2], strict=True)}


def reset_option(pat: str) -> None:
    """Give options the values that they had at first.

    Parameters
    ----------
    pat : str
        The name of an option, a regular expression of at least four characters that names contain, or
        ``'all'``.

    Raises
    ------
    OptionError
        A ``KeyError``, where no option has ``pat``.
    ValueError
        Where several options have a ``pat`` of less than four characters.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.set_option("display.max_rows", 5)
    >>> cuprum.reset_option("display.max_rows")
    >>> cuprum.get_option("display.max_rows")
    60
    """
    names = list(_OPTIONS) if pat == "all" else _names(pat)
    if not names:
        raise _unknown(f"{pat!r} is no option; known are {', '.join(_OPTIONS)}")
    if len(names) > 1 and len(pat) < 4 and pat != "all":
        raise ValueError("name at least four characters, or 'all', to reset several options")
    _set({name: _NOT_SET if _OPTIONS[name].get is None else _OPTIONS[name].default for name in names})


def describe_option(pat: str = "", _print_desc: bool = True) -> str | None:
    """Print what options are for.

    Parameters
    ----------
    pat : str, default ``''``
        The name of an option, or a regular expression that names contain; by default all options.
    _print_desc : bool, default True
        Whether the text is printed; else it is returned.

    Returns
    -------
    str or None
        The text where it is not printed, else None.

    Raises
    ------
    OptionError
        A ``KeyError``, where no option has ``pat``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.describe_option("display.precision")
    display.precision
        Digits after the decimal point.
        [default: 6] [currently: 6]
    """
    found = _names(pat)
    if not found:
        raise _unknown(f"{pat!r} is no option; known are {', '.join(_OPTIONS)}")
    text = "\n".join(
        f"{name}\n    {option.description}\n    [default: {option.default}] [currently: {_value(name)}]"
        for name, option in _OPTIONS.items()
        if name in found
    )
    if not _print_desc:
        return text
    print(text)
    return None


def set_eng_float_format(accuracy: int = 3, use_eng_prefix: bool = False) -> None:
    """Print floats as engineers do, with exponents that are multiples of 3.

    Parameters
    ----------
    accuracy : int, default 3
        The number of digits behind the point.
    use_eng_prefix : bool, default False
        Whether SI prefixes stand for exponents.

    Notes
    -----
    This sets the option ``display.float_format``.

    Examples
    --------
    >>> import cuprum
    >>> with cuprum.option_context("display.float_format", None):
    ...     cuprum.set_eng_float_format(1, use_eng_prefix=True)
    ...     print(cuprum.Series([12345.0]))
    0    12.3k
    dtype: float64
    """
    from pandas.io.formats.format import EngFormatter

    set_option("display.float_format", EngFormatter(accuracy, use_eng_prefix))


@contextmanager
def option_context(*args: Any) -> Iterator[None]:
    """Set options for a ``with`` block, and those back after it.

    Parameters
    ----------
    *args
        Names and values in turn, or one dict of them, as of `set_option`.

    Yields
    ------
    None
        The block runs with the options.

    Raises
    ------
    OptionError
        A ``KeyError``, for an unknown name.
    ValueError
        For a value that the option cannot have.

    Examples
    --------
    >>> import cuprum
    >>> with cuprum.option_context("display.max_rows", 5):
    ...     cuprum.get_option("display.max_rows")
    5
    >>> cuprum.get_option("display.max_rows")
    60
    """
    values = _checked(args)
    before = {name: _as_set(name) for name in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _from_environment(name: str, option: _Option) -> Any:
    """The value of an option of this module in the environment, where it is a valid one."""
    variable = name.upper().replace(".", "_")
    text = os.environ.get(f"CUPRUM_{variable}") or os.environ.get(f"CUDF_{variable}")
    if not text or option.read is None:
        return _NOT_SET
    try:
        return option.check(name, option.read(text))
    except ValueError:
        return _NOT_SET


for _named, _option in _OPTIONS.items():
    if (_given := _from_environment(_named, _option)) is not _NOT_SET:
        _store(_named, _given)


_UNLIMITED = sys.maxsize


def _limit(name: str) -> int:
    value = _value(name)
    return _UNLIMITED if value is None else value


def text_layout() -> dict[str, Any]:
    """The limits of printing, for the handles' ``to_text``.

    Columns that do not fit the terminal (80 characters where there is none) are left out where the option
    ``display.max_columns`` is 0; else long lines are broken at ``display.width``, as in pandas.
    """
    max_columns, width = _value("display.max_columns"), _value("display.width")
    max_rows = _limit("display.max_rows") or _UNLIMITED
    if max_columns == 0:
        max_columns, width = None, shutil.get_terminal_size().columns
    elif max_columns is None:
        max_columns = _UNLIMITED
    shape = _value("display.show_dimensions")
    # A series tells its length where a frame tells its shape: beside its name and its type.
    shapes: dict[str, Any] = (
        {} if shape == "truncate" else {"dimensions": shape, "footer": (True, shape, True)}
    )
    return shapes | {
        "max_rows": max_rows,
        "min_rows": _value("display.min_rows") or max_rows,
        "max_columns": max_columns,
        "width": width,
        "max_column_width": _limit("display.max_colwidth"),
        "precision": _value("display.precision"),
    }


def printed_by_pandas(always: bool = False) -> dict[str, Any]:
    """The options that pandas' printing has to know, where one of them asks for it; else nothing, but ``always``."""
    if not always and all(_value(name) == default for name, (default, _) in _PRINTED_BY_PANDAS.items()):
        return {}
    own = ["max_rows", "min_rows", "max_columns", "width", "max_colwidth", "precision", "show_dimensions"]
    names = [*_PRINTED_BY_PANDAS, *(f"display.{name}" for name in own)]
    return {name: _value(name) for name in names}


def html_layout() -> dict[str, Any]:
    """The limits of a notebook's display, for the handles' ``to_html``."""
    layout = text_layout()
    layout.update(width=None, max_columns=_limit("display.max_columns") or _UNLIMITED)
    return layout


def whole_layout() -> dict[str, Any]:
    """Everything, on lines of any length: ``to_string``."""
    return {
        "max_rows": _UNLIMITED,
        "min_rows": _UNLIMITED,
        "max_columns": _UNLIMITED,
        "width": None,
        "max_column_width": _UNLIMITED,
        "precision": _value("display.precision"),
        "dimensions": False,
    }
