"""`show_versions`: what a report of a fault begins with."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["show_versions"]


def show_versions(as_json: Any = False) -> None:
    """Print the versions of Cuprum, of Python and of the packages that pandas knows.

    Parameters
    ----------
    as_json : bool, str or path, default False
        True prints them as JSON; a path writes that to a file.

    Raises
    ------
    TypeError
        For another ``as_json``.

    Examples
    --------
    >>> import cuprum, json, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "versions.json")
    >>> cuprum.show_versions(path)
    >>> with open(path) as file:
    ...     json.load(file)["dependencies"]["cuprum"] == cuprum.__version__
    True
    """
    import io
    import json
    from contextlib import redirect_stdout

    import pandas

    from cuprum._cuprum import __version__

    if not isinstance(as_json, (bool, str, os.PathLike)):
        raise TypeError(f"`as_json` is {as_json!r}, neither a truth value nor a path")
    printed = io.StringIO()
    with redirect_stdout(printed):
        pandas.show_versions(as_json=True)
    found = json.loads(printed.getvalue())
    found["dependencies"] = {"cuprum": __version__, **found["dependencies"]}
    if as_json is True:
        print(json.dumps(found, indent=2))
    elif as_json is not False:
        with open(as_json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)
    else:
        system = found["system"]
        locale = system.get("LOCALE")
        if isinstance(locale, dict):
            system["LOCALE"] = ".".join(map(str, locale.values()))
        print("\nINSTALLED VERSIONS\n------------------")
        for part in (system, found["dependencies"]):
            for name, value in part.items():
                print(f"{name:<22}: {value}")
            print()
