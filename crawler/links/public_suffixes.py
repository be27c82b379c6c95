"""The list of public suffixes that the package tldextract carries, as a set of its rules; nothing is fetched.

The package's own form of it, two trees of nodes of which one is without private domains, takes 6 MB, the set 1.
"""

from functools import cache
from importlib.resources import files

from tldextract.remote import lenient_netloc
from tldextract.suffix_list import extract_tlds_from_suffix_list

_OTHER_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))


@cache
def _rules() -> tuple[frozenset[str], int]:
    """The rules, in small letters and not in Punycode, and how many labels the longest has."""
    text = files("tldextract").joinpath(".tld_set_snapshot").read_text(encoding="utf-8")
    public, private = extract_tlds_from_suffix_list(text)
    return frozenset(public + private), max(rule.count(".") for rule in public + private) + 1


def registered_part(host: str) -> str:
    """The public suffix of a host and the label before it, as they are written; "" for a suffix, and where there is none.

    Private domains, such as github.io, are suffixes too. A URL is taken for its host.
    """
    labels = _labels(host)
    length = _suffix_length(labels)
    return ".".join(labels[-length - 1 :]) if length and _has_owner(labels, length) else ""


def is_public_suffix(domain: str) -> bool:
    """Whether a domain is nothing but a suffix, below which everybody may register domains."""
    labels = _labels(domain)
    return not _has_owner(labels, _suffix_length(labels))


def _labels(host: str) -> list[str]:
    return lenient_netloc(host).translate(_OTHER_DOTS).split(".")


def _has_owner(labels: list[str], suffix_length: int) -> bool:
    return len(labels) > suffix_length and bool(labels[-suffix_length - 1])


def _suffix_length(labels: list[str]) -> int:
    """How many labels the longest suffix has that a rule names: publicsuffix.org/list, without its rule for unknown ones."""
    rules, longest = _rules()
    last = [_plain(label) for label in labels[-longest:]]
    for start in range(len(last)):
        suffix, above = ".".join(last[start:]), ".".join(last[start + 1 :])
        if f"!{suffix}" in rules:
            return len(last) - start - 1
        if suffix in rules or (above and f"*.{above}" in rules):
            return len(last) - start
    return 0


def _plain(label: str) -> str:
    """A label in small letters, and not in Punycode."""
    lowered = label.lower()
    if not lowered.startswith("xn--"):
        return lowered
    try:
        decoded = lowered[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return lowered
    return lowered if decoded.isascii() else decoded
