"""Addresses of the pages of one thread or list: they differ in the number of the page only."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from extractors.links.urls import canonical_url, path_and_query

_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"/[a-zA-Z/_.-]*")
_ENDING = re.compile(r"(?:\.[a-zA-Z]{0,5})?/?$")
MAX_ENDING_CHARS = 12
_PAGE_ARGUMENTS = frozenset(
    "page p pn pg pageno page_no pageindex page_index pagenum cpage paged cur_page currentpage".split()
)
"""Arguments of addresses that count pages."""
_OFFSET_ARGUMENTS = frozenset("start offset from st begin after next n o s skip".split())
"""Arguments that count the records before the page's first, or name the last record before it."""
_RUN = re.compile(r"(\d+)")
_TAIL = re.compile(r"^(?:[_-]|/?(?:[_-]?p(?:age|g)?[/_.=-]?)|/|/index[_-]?|/comment-page-)(\d{1,5})$", re.I)
_SUFFIX = re.compile(r"(?:(?:/index)?\.[a-z]\w{0,4})?/?$", re.I)
_REST = re.compile(r"(?:/?(?:index|comment-page|[_-]?p(?:age|g)?)?[/_.=-]?\d{1,5})?(?:\.[a-z]\w{0,4})?/?(?:\?|$)", re.I)
"""The suffix to the first page's path, which has no digit: a number and an ending, or arguments."""
_COUNTING = re.compile(r"(?:p(?:age|g)?[/_.=-]?|/index)$", re.I)
_TAIL_AT_END = re.compile(
    r"(?:/comment-page-|/index[_-]?|/?[_-]?p(?:age|g)?[/_.=-]?|[_-]|/)\d{1,5}((?:\.[a-z]\w{0,4})?/?)$", re.I
)
_MAX_RUNS = 8
_STEPS = frozenset((1, 10, 15, 20, 25, 30, 40, 50, 100))
_MAX_NUMBER_DIGITS = 5
_MAX_DIGITS = 18
"""Maximum digits of a run that is read as a number."""
_MAX_PATH_NUMBER = 2_000
"""A larger number in a path is an identifier, not the number of a page."""


def path_of(reference: str) -> str | None:
    """The part of an address after its host; None for a reference that is relative to the page's path."""
    if reference.startswith(("http://", "https://", "//")):
        return "/" + reference.partition("//")[2].partition("/")[2]
    return reference if reference.startswith("/") else None


def stub_of(own: str) -> str:
    """The common prefix of the paths of all pages of a run: the path up to its first digit, without an ending."""
    found = _PLAIN.match(path_of(own) or "")
    return _ENDING.sub("", found[0]) if found else ""


def continues(own: str, target: str) -> bool:
    """Whether two addresses differ only in the page number, and the second is a later page."""
    try:
        first, second = urlsplit(own), urlsplit(target)
    except ValueError:
        return False
    if not _same_site(first, second):
        return False
    if first.path == second.path:
        return _later_arguments(first, second)
    return _later_path(first.path, second.path) and _same_arguments(first, second)


def continuing(own: str, targets: Sequence[str]) -> list[int]:
    """The places of the addresses that continue a page and have a digit near their end."""
    path = path_and_query(own)[0]
    has_digit = _DIGIT.search(path) is not None
    stub = stub_of(own) if has_digit else _SUFFIX.sub("", path)
    return [
        place
        for place, target in enumerate(targets)
        if _DIGIT.search(target, max(0, len(target) - MAX_ENDING_CHARS))
        and (rest := path_of(target) or "").startswith(stub)
        and (has_digit or _REST.match(rest, len(stub)))
        and continues(own, target)
    ]


def number_after(first: str, own: str) -> int:
    """The number in `own` by which it continues the page `first`: the page number, or the number of records before it.

    0 if the two differ in more than that number, or if `first` is not the first page.
    """
    try:
        before, after = urlsplit(first), urlsplit(own)
    except ValueError:
        return 0
    if not _same_site(before, after):
        return 0
    if before.path == after.path:
        return _number_of_arguments(before, after)
    return _number_of_path(before.path, after.path) if _same_arguments(before, after) else 0


def first_addresses(own: str) -> Iterator[str]:
    """Canonical addresses that may be the first page of the run of `own`; `number_after` decides."""
    try:
        parts = urlsplit(own)
    except ValueError:
        return
    arguments = parse_qsl(parts.query)
    for place, (name, value) in enumerate(arguments):
        if name.lower() in _PAGE_ARGUMENTS | _OFFSET_ARGUMENTS and _counts(value):
            for first in ([], [(name, "1")], [(name, "0")]):
                query = urlencode([*arguments[:place], *first, *arguments[place + 1 :]])
                yield canonical_url(parts._replace(query=query).geturl())
    pieces = _RUN.split(parts.path)
    for place in range(1, min(len(pieces), 2 * _MAX_RUNS), 2):
        yield canonical_url(parts._replace(path="".join([*pieces[:place], "1", *pieces[place + 1 :]])).geturl())
    if found := _TAIL_AT_END.search(parts.path):
        yield from (parts._replace(path=parts.path[: found.start()] + end).geturl() for end in (found[1], "/"))


def _number_of_arguments(first: SplitResult, own: SplitResult) -> int:
    before, after = dict(parse_qsl(first.query)), dict(parse_qsl(own.query))
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    counting = [
        name for name in changed if name.lower() in _PAGE_ARGUMENTS | _OFFSET_ARGUMENTS and _counts(after.get(name, ""))
    ]
    if len(counting) != 1 or any(name in before for name in changed if name not in counting):
        return 0
    if counting[0] == "p" and own.path == "/":
        return 0  # such an argument names an article
    number = int(after[counting[0]])
    return number if before.get(counting[0], "0") in ("0", "1") and number > 1 else 0


def _number_of_path(first: str, own: str) -> int:
    before, after = _RUN.split(first), _RUN.split(own)
    if len(before) == len(after) and before[::2] == after[::2]:
        changed = [place for place in range(1, len(before), 2) if before[place] != after[place]]
        if len(changed) != 1 or before[changed[0]] not in ("0", "1"):
            return 0
        counting = changed[0] > 1 or _COUNTING.search(before[0]) is not None
        number = int(after[changed[0]]) if counting and len(after[changed[0]]) <= _MAX_NUMBER_DIGITS else 0
    else:
        bare_first, bare_own = _SUFFIX.sub("", first), _SUFFIX.sub("", own)
        tail = _TAIL.match(bare_own[len(bare_first) :]) if bare_own.startswith(bare_first) else None
        number = int(tail.group(1)) if tail else 0
    return number if 2 <= number <= _MAX_PATH_NUMBER else 0


def _same_site(first: SplitResult, second: SplitResult) -> bool:
    hosts = first.netloc.removeprefix("www."), second.netloc.removeprefix("www.")
    return hosts[0] == hosts[1] and second.scheme in ("http", "https")


def _same_arguments(first: SplitResult, second: SplitResult) -> bool:
    return sorted(parse_qsl(first.query)) == sorted(parse_qsl(second.query))


def _later_arguments(first: SplitResult, second: SplitResult) -> bool:
    own, other = dict(parse_qsl(first.query)), dict(parse_qsl(second.query))
    changed = {name for name in own | other if own.get(name) != other.get(name)}
    counting = {name for name in changed if _is_later(name.lower(), own.get(name, "0"), other.get(name, ""))}
    if "p" in counting and second.path == "/":
        return False  # such an argument names an article
    return bool(counting) and not any(name in own and name not in counting for name in changed)


def _is_later(name: str, own: str, other: str) -> bool:
    if not (_counts(own) and _counts(other)):
        return False
    step = int(other) - int(own)
    return step > 0 and (
        name in _OFFSET_ARGUMENTS or (name in _PAGE_ARGUMENTS and (step in _STEPS or (own == "0" and step == 2)))
    )


def _counts(value: str) -> bool:
    return value.isdecimal() and len(value) <= _MAX_NUMBER_DIGITS


def _later_path(own: str, other: str) -> bool:
    """/t-1-1.html and /t-1-2.html, /t/1 and /t/1/page-2; not /story/123.html and /story/124.html."""
    first, second = _RUN.split(own), _RUN.split(other)
    if len(first) == len(second) and first[::2] == second[::2]:
        changed = [place for place in range(1, len(first), 2) if first[place] != second[place]]
        if len(changed) != 1 or max(len(first[changed[0]]), len(second[changed[0]])) > _MAX_DIGITS:
            return False
        before, after = int(first[changed[0]]), int(second[changed[0]])
        counting = changed[0] > 1 or _COUNTING.search(first[0]) is not None
        return counting and after <= _MAX_PATH_NUMBER and after - before in _STEPS
    bare_own, bare_other = _SUFFIX.sub("", own), _SUFFIX.sub("", other)
    if not bare_other.startswith(bare_own):
        return False
    tail = _TAIL.match(bare_other[len(bare_own) :])
    return tail is not None and 2 <= int(tail.group(1)) <= _MAX_PATH_NUMBER
