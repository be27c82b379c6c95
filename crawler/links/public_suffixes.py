"""Public suffixes, under which anyone can register domains, from the list bundled with a library; nothing is fetched."""

from functools import cache
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

_OTHER_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))


@cache
def _suffixes() -> PublicSuffixList:
    """The list, with private domains such as github.io; hosts under unknown suffixes have none."""
    return PublicSuffixList(accept_unknown=False)


def registered_part(host: str) -> str:
    """The public suffix of a host and the label before it, in lower case; "" for a suffix, or if there is none.

    A URL stands for its host.
    """
    return _suffixes().privatesuffix(_plain(host)) or ""


def is_public_suffix(domain: str) -> bool:
    """Whether a domain is itself a public suffix."""
    return _suffixes().is_public(_plain(domain))


def _plain(host: str) -> str:
    try:
        name = urlsplit(host if "//" in host else f"//{host}").hostname or ""
    except ValueError:
        return ""
    return name.translate(_OTHER_DOTS).strip(".")
