"""Regular expressions, in the syntax of Python without look-around and references."""

from __future__ import annotations

from cuprum._cuprum import _patterns as _rust
from pylibcuprum.strings.regex_flags import RegexFlags

__all__ = ["RegexProgram"]


class RegexProgram:
    """A regular expression that was checked; `create` makes it.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> from pylibcuprum.strings.contains import contains_re
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]+", RegexFlags.DEFAULT)
    >>> contains_re(Column.from_iterable_of_py(["a1", "b"]), prog).to_pylist()
    [True, False]
    """

    def __init__(self) -> None:
        raise TypeError("a RegexProgram is made by RegexProgram.create")

    @staticmethod
    def create(pattern: str, flags: RegexFlags) -> RegexProgram:
        """Return a regular expression for the functions that take one.

        Parameters
        ----------
        pattern : str
            Expression in Python's syntax, without look-around and references to groups.
        flags : RegexFlags
            ``DEFAULT``, or ``IGNORECASE``, ``MULTILINE`` and ``DOTALL``, also several of them.

        Returns
        -------
        RegexProgram
            The expression, which can be used for any number of columns.

        Raises
        ------
        ValueError
            For an argument that is no regular expression.

        Examples
        --------
        >>> from pylibcuprum import Column
        >>> from pylibcuprum.strings.contains import contains_re
        >>> from pylibcuprum.strings.regex_flags import RegexFlags
        >>> prog = RegexProgram.create("b$", RegexFlags.IGNORECASE | RegexFlags.MULTILINE)
        >>> contains_re(Column.from_iterable_of_py(["AB", "ba", None]), prog).to_pylist()
        [True, False, None]
        """
        made = RegexProgram.__new__(RegexProgram)
        made._pattern, made._flags = pattern, int(flags)
        _rust.check(pattern, made._flags)
        return made

    _pattern: str
    _flags: int
