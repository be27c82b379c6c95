"""Where the links of records lead."""

import re
from functools import lru_cache
from urllib.parse import urljoin

_SEGMENTS = r"(?:/[^\x00-\x20/?#;.][^\x00-\x20/?#;]*)*/?"
_BEHIND = r"(?:\?[^\x00-\x20#]+)?(?:#[^\x00-\x20]+)?"
_HOST = r"https?://[A-Za-z0-9.:-]+"
_BASE = re.compile(rf"({_HOST})({_SEGMENTS})(?:[?#].*)?")
_WHOLE = re.compile(rf"{_HOST}(?:/[^\x00-\x20?#;]*)?{_BEHIND}")
_ROOTED = re.compile(rf"(?=/){_SEGMENTS}{_BEHIND}")
_BESIDE = re.compile(rf"[^\x00-\x20/?#;:.][^\x00-\x20/?#;:]*{_SEGMENTS}{_BEHIND}")
"""Addresses without anything to be resolved or cleaned: made absolute, they stand behind their base as they are."""


def absolute(base: str, target: str) -> str:
    """A link's address made absolute as `urllib.parse.urljoin` does it; "" for one that is none."""
    host, folder = _places(base)
    target = target.strip()
    if host and _ROOTED.fullmatch(target):
        return host + target
    if host and _WHOLE.fullmatch(target):
        return target
    return folder + target if host and _BESIDE.fullmatch(target) else _joined(base, target)


@lru_cache(maxsize=1_000)
def _places(base: str) -> tuple[str, str]:
    """What an address begins with up to its host, and up to its last slash; "" for one that is not plain."""
    found = _BASE.fullmatch(base)
    return (found[1], found[1] + (found[2].rpartition("/")[0]) + "/") if found else ("", "")


@lru_cache(maxsize=5_000)
def _joined(base: str, target: str) -> str:
    try:
        return urljoin(base, target)
    except ValueError:
        return ""
