"""Redaction of messages: passwords and signatures in addresses, and values of the options that open them."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

__all__ = ["guarded", "secrets_in", "without_secrets", "without_these"]

Result = TypeVar("Result")

# Options whose values tell where something is and how it is read, no secrets.
_PLAIN_OPTIONS = frozenset(
    ["account_name", "block_size", "bucket", "cache_type", "client_kwargs", "compression", "config_kwargs"]
    + ["encoding", "endpoint", "endpoint_url", "fo", "host", "mode", "port", "project", "protocol", "region"]
    + ["region_name", "remote_protocol", "target_protocol", "timeout", "use_ssl", "version_aware"]
)
# Schemes of addresses with the name of a container before the `@`.
_CONTAINERS = frozenset(["abfs", "abfss", "adl", "az", "wasb", "wasbs"])
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]*")


def without_secrets(address: str) -> str:
    """Return an address as it may stand in messages: without user, password, parameters and signatures.

    Of a chain (``zip://a.csv::s3://bucket/b.zip``) it is the first link, which says what the file is called.
    """
    address = next((link for link in _links(address) if "://" in link), address)
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address
    scheme = scheme.lower()
    _, at, plain = _authority(scheme, rest)
    rest = plain if at else rest
    parameters = r"[?#].*" if scheme in ("http", "https") else r"\?(?=[^?]*=).*"
    return f"{scheme}://{re.sub(parameters, '', rest, count=1, flags=re.DOTALL)}"


def _links(address: str) -> list[str]:
    """Return the links of a chain; the colons of ``[::1]`` are within one."""
    return re.split(r"::(?![^\[\]]*\])", address)


def _authority(scheme: str, rest: str) -> tuple[str, str, str]:
    """Return who opens an address, ``@`` if that is said, and what is behind it."""
    first = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" not in first:
        # A password with a slash or a question mark: what would be the port is no number.
        _, colon, port = first.rpartition(":")
        if not colon or port.isdigit() or first.startswith("[") or "@" not in rest:
            return "", "", rest
        first = rest
    user, at, _ = first.rpartition("@")
    if scheme in _CONTAINERS and ":" not in user:
        return "", "", rest
    return user, at, rest[len(user) + 1 :]


def secrets_in(address: str = "", options: Any = None) -> tuple[str, ...]:
    """Return what messages must not have of an address and of the options that open it."""
    return tuple(dict.fromkeys(filter(None, (*_of_address(address), *_of_option("", options)))))


def _of_address(address: str) -> Iterator[str]:
    for link in _links(address):
        scheme, mark, rest = link.partition("://")
        if not mark:
            continue
        user, _, _ = _authority(scheme.lower(), rest)
        name, _, password = user.partition(":")
        each = [user, name, password]
        query = re.split(r"[?#]", rest, maxsplit=1)[1:]
        if query and (scheme.lower() in ("http", "https") or "=" in query[0]):
            parameters = re.split(r"[&;#]", query[0])
            each += [query[0], *(part.partition("=")[2] or part for part in parameters)]
        for text in each:
            yield text
            yield urllib.parse.unquote(text)
            yield urllib.parse.unquote_plus(text)


def _of_option(name: str, value: Any) -> Iterator[str]:
    """Give the texts of an option, and of all that is in it."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _of_option(str(key), part)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for part in value:
            yield from _of_option(name, part)
    elif isinstance(value, bytes):
        yield from _of_option(name, value.decode(errors="replace"))
    elif isinstance(value, str):
        yield from _of_address(value)
        if name.lower() not in _PLAIN_OPTIONS:
            yield value
            # `Bearer …`, `Basic …`
            kind, space, credentials = value.partition(" ")
            if space and kind.isalpha():
                yield credentials
    elif hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        # Credentials and logins of other packages.
        yield from _of_option(
            "", {key: one for key, one in vars(value).items() if isinstance(one, (str, bytes))}
        )


def without_these(text: str, secrets: Iterable[str]) -> str:
    """Return a text without some secrets, and with its addresses as they may stand in messages."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) > 3:
            text = text.replace(secret, "…")
        else:  # a word: it may be a part of others
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "…", text)
    return _ADDRESS.sub(lambda found: without_secrets(found[0]), text)


def guarded(function: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
    """Return the result of a function of another library.

    An error that tells secrets of the addresses and ``storage_options`` among the arguments is raised without them, with
    nothing behind it.
    """
    texts = (value for value in (*args, *kwargs.values()) if isinstance(value, str))
    secrets = [secret for text in texts for secret in secrets_in(text)]
    secrets += secrets_in("", kwargs.get("storage_options"))
    try:
        return function(*args, **kwargs)
    except Exception as error:
        told = _without_causes(error, tuple(secrets))
        if told is None:
            raise
    raise told


def _without_causes(error: BaseException, secrets: tuple[str, ...]) -> BaseException | None:
    """Return an error without secrets; None where neither it nor what is behind it has any."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    texts = [
        text for one in chain for text in (str(one), *map(str, one.args), *getattr(one, "__notes__", ()))
    ]
    if all(without_these(text, secrets) == text for text in texts):
        return None
    if isinstance(error, OSError) and error.errno is not None:
        name = None if error.filename is None else without_these(str(error.filename), secrets)
        return OSError(error.errno, without_these(str(error.strerror), secrets), name)
    text = without_these(str(error), secrets)
    for kind in type(error).__mro__:
        try:
            made = kind(text)
        except Exception:  # it wants other arguments
            continue
        if isinstance(made, BaseException):
            return made
    return RuntimeError(text)
