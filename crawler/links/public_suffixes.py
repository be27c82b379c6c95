"""Public suffixes, below which everybody may register domains, by the list that a library carries; nothing is fetched."""

from functools import cache
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

_OTHER_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))


@cache
def _suffixes() -> PublicSuffixList:
    """Private domains, such as github.io, are suffixes too; a host below no known suffix has none."""
    return PublicSuffixList(accept_unknown=False)


def registered_part(host: str) -> str:
    """The public suffix of a host and the label before it, in small letters; "" for a suffix, and where there is none.

    A URL is taken for its host.
    """
    return _suffixes().privatesuffix(_plain(host)) or ""


def is_public_suffix(domain: str) -> bool:
    """Whether a domain is nothing but a suffix."""
    return _suffixes().is_public(_plain(domain))


def _plain(host: str) -> str:
    try:
        name = urlsplit(host if "//" in host else f"//{host}").hostname or ""
    except ValueError:
        return ""
    return name.translate(_OTHER_DOTS).strip(".")
