"""The next and the first page of a thread or list: by words of links ("下一页", "›", rel=next, a number) and their targets.

A link with "next" may also lead to the next article, so its target must equal the page's address except for a page number.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG
from extractors.links.urls import canonical_url, path_and_query, resolve_url
from extractors.text.multi_search import contains_match

_NEXT = (
    r"下一?[页頁]|下[页頁]|[后後]一?[页頁]|次へ|次の?ページ|다음|next(?:[ -]?page)?|more(?: (?:comments|posts|replies))?"
    r"|older(?: (?:comments|posts|entries))?|load more|suivante?s?|page suivante|weiter|nächste(?: seite)?|vor|siguientes?|"
    r"página siguiente|seguente|successiv[ao]|próxima?|volgende|далее|след(?:ующая|\.)?|вперед|następna|další|sonraki"
)
_SAYS_NEXT = re.compile(rf"(?<![^\0])(?:[^\w\0]{{0,4}}(?:{_NEXT})[^\w\0]{{0,4}}|[›»>→▶⟩〉\u232a❯]{{1,2}})(?![^\0])")
"""Matches lower-case texts without white space around them, single or joined."""
_NEXT_SIGN = re.compile(rf"{_NEXT}|[›»>→▶⟩〉\u232a❯]")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![^\0])[^\w\0]{0,2}\d{1,5}[^\w\0]{0,2}(?![^\0])")
_SAYS_FIRST = re.compile(
    r"^\W{0,4}(?:1|首[页頁]|第一[页頁]|上一?[页頁]|前[页頁]|first(?: page)?|prev(?:ious)?(?: page)?|back|newer(?: comments)?|zurück|erste"
    r"|précédente?|première|anterior|primera|前へ|이전|назад|‹|«|<|←|◀|⟨|〈|\u2329|❮|\|<)\W{0,4}$",
    re.I,
)
"""Matches texts of links to the first page, or to the previous one, which may be the first."""
_NEXT_CLASS = re.compile(r"n(?<![^\s_\0-]n)(?:ext(?:-?page)?|xt)(?![^\s_\0-])|p(?<![^\s_\0-]p)age-?next(?![^\s_\0-])")
_DIGITS = re.compile(r"^\W{0,2}(\d{1,5})\W{0,2}$")
_PLAIN = re.compile(r"/[a-zA-Z/_.-]*")
_ENDING = re.compile(r"(?:\.[a-zA-Z]{0,5})?/?$")
_MAX_TEXT_CHARS = 24
_MAX_NAMED_CHARS = 12
_MAX_TITLE_CHARS = 40
_MAX_CLASS_CHARS = 100
_MAX_ENDING_CHARS = 12
_MAX_CANDIDATES = 80
_MAX_SHORT_LINKS = 2_000
_NUMBERED = re.compile(r"[^/]/.*\d")
"""An address that may be the second page of another."""
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
"""What follows the first page's path, which has no digit: a number and an ending, or arguments."""
_COUNTING = re.compile(r"(?:p(?:age|g)?[/_.=-]?|/index)$", re.I)
_TAIL_AT_END = re.compile(
    r"(?:/comment-page-|/index[_-]?|/?[_-]?p(?:age|g)?[/_.=-]?|[_-]|/)\d{1,5}((?:\.[a-z]\w{0,4})?/?)$", re.I
)
_PAGE_AT_END = re.compile(r"(?:p(?:age|g|n)?[/_.=-]?|/index[_-]?|[_-])\d{1,5}(?:\.[a-z]\w{0,4})?/?$", re.I)
_MAX_RUNS = 8
_STEPS = frozenset((1, 10, 15, 20, 25, 30, 40, 50, 100))
_MAX_NUMBER_DIGITS = 5
_MAX_DIGITS = 18
"""Maximum digits of a run that is read as a number."""
_MAX_PATH_NUMBER = 2_000
"""A larger number in a path is an identifier, not the number of a page."""


def next_page(page: Document) -> str:
    """The canonical address of the next page of these records; "" if there is none."""
    owns = _own_addresses(page)
    # many a later page declares the first as its own address
    owns = [*owns[:1], *(claimed for claimed in owns[1:] if not number_after(claimed, owns[0]))]
    numbered: dict[int, str] = {}
    unnamed: list[str] = []
    for target, text, says in _candidates(page):
        if target in owns or not any(continues(own, target) for own in owns):
            continue
        if says:
            return target
        if found := _DIGITS.match(text):
            numbered.setdefault(int(found.group(1)), target)
        elif not text:
            unnamed.append(target)
    later = [number for number in numbered if number > 1]
    return numbered[min(later)] if later else min(unnamed, key=lambda target: (len(target), target), default="")


def first_page(page: Document) -> str:
    """The canonical address of the first page of the run that this page continues; "" on that page, or without a link to it."""
    own, *claimed = _own_addresses(page) or [""]
    if not _NUMBERED.search(own):
        return ""
    targets, places = page.columns.sparse("href"), _backward_links(page.columns)
    linked = (resolve_url(page.base_url, targets[place].strip()) for place in places)
    return next((target for target in (*claimed, *linked) if number_after(target, own)), "")


def _own_addresses(page: Document) -> list[str]:
    """The page's address, and its declared canonical address."""
    columns = page.columns
    relations = columns.sparse("rel").items()
    links = (place for place, said in relations if said.lower() == "canonical" and columns.tag[place] == TAG["link"])
    claimed = columns.sparse("href").get(next(links, -1), "")
    own = canonical_url(page.url) or page.url
    return list(dict.fromkeys(address for address in (own, resolve_url(page.base_url, claimed)) if address))


def _backward_links(columns: Columns) -> Iterator[int]:
    """Links with "1", "first" or "previous", in text or rel."""
    short = (columns.text_length <= _MAX_TEXT_CHARS) & columns.tagged("a")
    places = np.flatnonzero(short | columns.tagged("link"))
    titles, labels, relations, targets = map(columns.sparse, ("title", "aria-label", "rel", "href"))
    for read, place in enumerate(places.tolist()):
        if read == _MAX_SHORT_LINKS:
            return
        start, end = int(columns.chunk_start[place]), int(columns.chunk_end[place])
        said = "".join(columns.texts[start:end]) or titles.get(place) or labels.get(place) or ""
        relation = relations.get(place, "").lower().split()
        if targets.get(place) and (_SAYS_FIRST.match(said[:40]) or "prev" in relation or "first" in relation):
            yield place


def _candidates(page: Document) -> Iterator[tuple[str, str, bool]]:
    """(address, text, whether it has "next") of links to possible next pages; links with rel=next come first, pictures last."""
    columns, stubs, read = page.columns, [_stub(own) for own in _own_addresses(page)], 0
    targets, relations, linking = columns.sparse("href"), columns.sparse("rel").items(), columns.tagged("a", "link")
    named = [(place, "", True) for place, words in relations if linking[place] and "next" in words.lower().split()]
    for place, text, says in (*named, *_short_links(columns)):
        if reference := targets.get(place, "").strip():
            read += 1
            if _may_continue(reference, stubs):
                yield resolve_url(page.base_url, reference), text, says
        if read == _MAX_CANDIDATES:
            break
    pictured = np.flatnonzero((columns.text_length == 0) & columns.tagged("a"))[:_MAX_SHORT_LINKS].tolist()
    addresses = (targets.get(place, "").rstrip() for place in pictured)
    likely = (each.lstrip() for each in addresses if _PAGE_AT_END.search(each, max(0, len(each) - _MAX_ENDING_CHARS)))
    for reference in islice((each for each in likely if _may_continue(each, stubs)), _MAX_CANDIDATES):
        yield resolve_url(page.base_url, reference), "", False


def _may_continue(reference: str, stubs: Sequence[str]) -> bool:
    path = _path(reference)
    return path is None or any(map(path.startswith, stubs))


def _path(reference: str) -> str | None:
    """The part of an address after its host; None for a reference that is relative to the page's path."""
    if reference.startswith(("http://", "https://", "//")):
        return "/" + reference.partition("//")[2].partition("/")[2]
    return reference if reference.startswith("/") else None


def _stub(own: str) -> str:
    """The common prefix of the paths of all pages of a run: the path up to its first digit, without an ending."""
    found = _PLAIN.match(_path(own) or "")
    return _ENDING.sub("", found[0]) if found else ""


def _short_links(columns: Columns) -> list[tuple[int, str, bool]]:
    places = np.flatnonzero((columns.text_length <= _MAX_TEXT_CHARS) & columns.tagged("a"))
    chunks = zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True)
    texts = ["".join(columns.texts[start:end]).strip() for start, end in chunks]
    said = [text.lower() for text in texts]
    says = contains_match(_SAYS_NEXT, said, _NEXT_SIGN) | _called_next(columns, places, texts)
    chosen = np.flatnonzero(says | contains_match(_NUMBER, said, _DIGIT)).tolist()
    return [(int(places[number]), texts[number], bool(says[number])) for number in chosen]


def _called_next(columns: Columns, places: NDArray[np.intp], texts: Sequence[str]) -> NDArray[np.bool_]:
    """bool[links]: a short link has "next" in its title or class."""
    found = np.zeros(len(places), dtype=np.bool_)
    titles = columns.sparse("aria-label") | columns.sparse("title")
    titled = [number for number, place in enumerate(places.tolist()) if place in titles]
    named = (titles[int(places[number])][:_MAX_TITLE_CHARS].strip().lower() for number in titled)
    found[titled] = contains_match(_SAYS_NEXT, list(named), _NEXT_SIGN)
    links = np.zeros(len(columns), dtype=np.bool_)
    links[places] = True
    classes, which = columns.pairs("class", "class", links)
    called = contains_match(_NEXT_CLASS, [name[:_MAX_CLASS_CHARS].lower() for name, _ in classes])[which]
    for number in np.flatnonzero(called).tolist():
        found[number] |= not texts[number].isdigit()
    found[[number for number in np.flatnonzero(found).tolist() if len(texts[number]) > _MAX_NAMED_CHARS]] = False
    return found


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
    stub = _stub(own) if has_digit else _SUFFIX.sub("", path)
    return [
        place
        for place, target in enumerate(targets)
        if _DIGIT.search(target, max(0, len(target) - _MAX_ENDING_CHARS))
        and (rest := _path(target) or "").startswith(stub)
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
