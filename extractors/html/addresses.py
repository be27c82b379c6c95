"""Resolves references like browsers: the URL parser of the WHATWG URL standard, for http and https only.

Differences to RFC 3986, which `urllib` follows: tabs and line breaks are dropped; a backslash before the query is a slash; any
number of slashes may precede a host; a default port is dropped; %2e is a dot; empty folders stay. A host with invalid characters
makes the address invalid; unlike in browsers, so do percent-encoded hosts, and numbers are not IPv4 addresses.
"""

import re
from urllib.parse import quote

_ENDS = "".join(map(chr, range(0x21)))
"""Control characters and the space, which are cut off at both ends."""
_NO_BREAKS = str.maketrans("", "", "\t\n\r")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_PARTS = re.compile(r"([^?#]*)(\?[^#]*)?")
_ABSOLUTE = re.compile(r"(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?", re.I)
_DOT = re.compile(r"\.|%2e", re.I)
_TWO_DOTS = re.compile(r"(?:\.|%2e){2}", re.I)
_HOST = re.compile(r"(?:\[[0-9a-f:.]+\]|[^\x00-\x20<>\[\]^|%:]+)(?::(?P<port>[0-9]{0,5}))?", re.I)
_MAX_PORT = 65_535
_PORTS = {"http": ":80", "https": ":443"}


def resolve(base: str, reference: str) -> str:
    """The absolute address without fragment; "" if it is not http or https.

    Args:
        base: an absolute address; with any other text, only absolute references have an address.
    """
    reference = reference.strip(_ENDS).translate(_NO_BREAKS)
    own = _ABSOLUTE.match(base)
    scheme = own[1].lower() if own else ""
    if named := _SCHEME.match(reference):
        if named[1].lower() not in _PORTS:
            return ""
        path, query = _path_and_query(reference[named.end() :])
        if named[1].lower() != scheme or path.startswith("//"):
            return _of_host(named[1].lower(), path, query)
    else:
        path, query = _path_and_query(reference)
    if own is None:
        return ""
    if path.startswith("//"):
        return _of_host(scheme, path, query)
    return _below(own, path, query)


def with_encoded_query(reference: str, charset: str) -> str:
    """A reference as requested from a page in this charset (a Python codec): non-ASCII characters in the query are encoded in
    it, as browsers do; characters outside the charset become HTML character references."""
    if reference.isascii() or "?" not in reference or charset.lower().replace("-", "").replace("_", "") == "utf8":
        return reference
    path, _, rest = reference.partition("?")
    query, mark, fragment = rest.partition("#")
    return f"{path}?{''.join(_encoded(each, charset) for each in query)}{mark}{fragment}"


def _encoded(character: str, charset: str) -> str:
    try:
        return character if character.isascii() else quote(character.encode(charset, "xmlcharrefreplace"), safe="")
    except (LookupError, UnicodeError):
        return character


def _path_and_query(rest: str) -> tuple[str, str]:
    """Path and query, with backslashes before the query as slashes, without fragment."""
    found = _PARTS.match(rest)
    return (found[1].replace("\\", "/"), found[2] or "") if found else ("", "")


def _of_host(scheme: str, path: str, query: str) -> str:
    host, slash, rest = path.lstrip("/").partition("/")
    found = _HOST.fullmatch(host.rpartition("@")[2])
    if found is None or int(found["port"] or 0) > _MAX_PORT:
        return ""
    return f"{scheme}://{_host(host, scheme)}{_without_dots(slash + rest)}{query}"


def _below(own: re.Match[str], path: str, query: str) -> str:
    """The address of a path, absolute or relative to the base's path."""
    scheme = own[1].lower()
    before, own_query = own[3].replace("\\", "/"), own[4] or ""
    if not path:
        path, query = before, query or own_query
    elif not path.startswith("/"):
        path = before[: before.rfind("/") + 1] + path
    return f"{scheme}://{_host(own[2], scheme)}{_without_dots(path)}{query}"


def _host(host: str, scheme: str) -> str:
    """Without the default port."""
    return host.lower().removesuffix(_PORTS[scheme]).removesuffix(":")


def _without_dots(path: str) -> str:
    """The path without folders "." and ".."; it begins with a slash."""
    if "/." not in path and "%2" not in path and path.startswith("/"):
        return path
    kept: list[str] = []
    folders = path.removeprefix("/").split("/")
    for number, folder in enumerate(folders, 1):
        up, stays = _TWO_DOTS.fullmatch(folder), _DOT.fullmatch(folder)
        if up and kept:
            kept.pop()
        if not (up or stays):
            kept.append(folder)
        elif number == len(folders):
            kept.append("")
    return "/" + "/".join(kept)
