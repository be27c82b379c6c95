"""The article's title without the names of its site and channel."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from extractors.html.columns import Columns
from extractors.html.document import Document

_SEPARATOR = re.compile(
    r"\s+[-–—|｜•·»›«:]+\s+|\s*[|｜_»›]+\s*|\s*[-–—]{2,}\s*|(?<=[\u3400-\u9fff）)」》!！?？])\s*[-–—]\s*|\s*[-–—]\s*(?=[\u3400-\u9fff])"
)
_BRACKETS = (("(", ")"), ("（", "）"), ("《", "》"), ("「", "」"), ("“", "”"))
_ARCHIVE = re.compile(
    r"^.{1,80}?\s»\s(?=[^»]{0,30}(?:blog|блог|ブログ|博客|网志))[^»]{0,30}(?:archi|arqui|ark[ií]v|архив|アーカイブ|归档|存档)[^»]{0,20}\s»\s(?=\S)",
    re.I,
)
"""What WordPress puts before the title of an entry: "Site » Blog Archive » ", in the site's language."""
_MAX_TITLE_CHARS = 500
_MIN_HEADING_CHARS, _MAX_HEADINGS = 4, 20
_MAX_HEADING_CHUNKS = 12
_MIN_SHOWN_CHARS, _MAX_SHOWN_CHARS, _MIN_SHARED = 12, 200, 0.3
"""Characters of a heading that replaces the declared title, and the share of its words that the title must share."""
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{3,}")
_MAX_PARTS = 8
_MAX_HOME_LINKS = 200
"""Links of a page that are checked for leading to its home page."""
_HOME = {"home", "homepage", "首页", "主页"}
_ROOT = re.compile(r"https?://[^/?#]+", re.I)
_MAX_RULED_CHARS = 500


def title_of(page: Document, metas: dict[str, str], data: dict[str, Any]) -> str:
    """The best of the page's heading, its metadata and its `title` element.

    A heading that equals a title of the metadata is the title; else one that the metadata or the `title` element contains;
    else the metadata's title or that element without the site's name. The site's name, as declared or as the text of links to
    the home page, is the title only if there is no other.
    """
    columns = page.columns
    whole = _ARCHIVE.sub("", _fold(_title_element(columns)))
    declared = [
        _fold(text)
        for text in (metas.get("og:title", ""), str(data.get("headline") or ""), metas.get("twitter:title", ""))
        if text
    ]
    site = metas.get("og:site_name", "")
    names = _names_of_site(page, whole, site)
    said = [text for text in declared if _squeeze(text) not in names]
    squeezed = [(text, _squeeze(text)) for text in (*said, whole)]
    equal = {_squeeze(each) for text in said for each in (text, without_site_name(text, names))}
    headings: list[str] = []
    for heading in filter(_is_long, _headings(columns)):
        if _squeeze(heading) in equal:
            return heading
        headings.append(heading)
    if found := next((heading for heading in headings if _is_declared(heading, squeezed, names)), ""):
        return _before(found, headings, _squeeze(whole))
    headlines = {_squeeze(without_site_name(text, names)) for text in (*said, whole)}
    for part, is_most in _parts_of_headings(columns):
        if _squeeze(part) in headlines or (is_most and _is_declared(part, squeezed, names)):
            return part
    if shown := _shown(columns, (*said, whole), names):
        return shown
    for text in (*said, whole):
        if text:
            return without_site_name(text, names)
    return next(iter(declared), "") or next(_headings(columns), "")


def without_site_name(title: str, names: Collection[str] = ()) -> str:
    """The title without trailing segments that name the site or a channel; at least its longest segment stays.

    Args:
        names: of the site, in lower case without white space; they are removed if another segment remains.
    """
    places = [found.span() for found in _SEPARATOR.finditer(title) if not _is_bracketed(title, found.start())]
    if not places:
        return title
    starts, ends = [0, *(end for _, end in places)], [*(start for start, _ in places), len(title)]
    segments = [title[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    kept = [place for place, segment in enumerate(segments) if segment and _squeeze(segment) not in names]
    if not kept:
        return title
    first, last = kept[0], kept[-1]
    longest = max(range(first, last + 1), key=lambda place: len(segments[place]))
    if last == len(segments) - 1:
        last = longest
    if longest > first and len(segments[first]) * 4 < len(segments[longest]):
        first = longest
    return title[starts[first] : ends[last]].strip()


def _is_bracketed(title: str, place: int) -> bool:
    """Whether a bracket that is closed later is open at this place."""
    return any(
        title.count(opening, 0, place) > title.count(closing, 0, place) and closing in title[place:]
        for opening, closing in _BRACKETS
    )


def parts_of_title(page: Document) -> tuple[str, ...]:
    """The parts of the `title` element between separators; the whole title without separators."""
    parts = (part.strip() for part in _SEPARATOR.split(_fold(_title_element(page.columns))))
    return tuple(dict.fromkeys(part for part in parts if part))[:_MAX_PARTS]


def ruled_title(page: Document) -> str:
    """The title by the rules of the page's site, "" if they name none or find none."""
    return page.rules.first_value("title", page.columns)[:_MAX_RULED_CHARS] if page.rules else ""


def title_without(page: Document, title: str, names: Collection[str]) -> str:
    """The title without these names of the site; if it is one of them, the first headline that is not."""
    if page.once(ruled_title):
        return title
    if not names:
        return title
    squeezed = {_squeeze(name) for name in names}
    if _squeeze(title) not in squeezed:
        return without_site_name(title, squeezed)
    others = (without_site_name(text, squeezed) for text in headline_texts(page))
    return next((text for text in others if text and _squeeze(text) not in squeezed), title)


def _names_of_site(page: Document, whole: str, declared: str) -> set[str]:
    """The declared name, and the texts of links to the home page that are segments of the `title` element."""
    names = {_squeeze(declared)} if declared else set()
    segments = {_squeeze(segment) for segment in _SEPARATOR.split(whole)}
    if len(segments) > 1 and segments.isdisjoint(_HOME):
        names |= segments.intersection(map(_squeeze, _texts_of_home_links(page)))
    return names


def _texts_of_home_links(page: Document) -> Iterator[str]:
    """Texts of a page's links to its site's home page; empty on the home page."""
    root = _ROOT.match(page.url)
    home = root.group() if root else ""
    if home and len(page.url) <= len(home) + 1:
        return
    targets = {"/", "/index.html", home, f"{home}/"} - {""}
    columns, linked = page.columns, page.columns.sparse("href")
    for place in columns.places("a")[:_MAX_HOME_LINKS]:
        if linked.get(place) in targets:
            yield _fold(columns.text(place))


def headline_texts(page: Document) -> list[str]:
    """Texts of the `title` element and of the main headings, unchanged."""
    columns = page.columns
    return [text for text in (_fold(_title_element(columns)), *islice(_headings(columns), 3)) if text]


def _title_element(columns: Columns) -> str:
    return next(map(columns.text, columns.places("title")), "")


def _headings(columns: Columns) -> Iterator[str]:
    """Texts of the page's main headings, h1 before h2."""
    for name in ("h1", "h2"):
        for place in columns.places(name)[:_MAX_HEADINGS]:
            if text := _fold(columns.text(place)):
                yield text


def _parts_of_headings(columns: Columns) -> Iterator[tuple[str, bool]]:
    """The beginnings and ends of h1 elements, longest first, and whether each is half of its heading or more: a heading may
    hold a kicker, a time or a name beside the title."""
    for place in columns.places("h1")[:_MAX_HEADINGS]:
        start, end = int(columns.chunk_start[place]), int(columns.chunk_end[place])
        if end - start > _MAX_HEADING_CHUNKS or sum(map(len, columns.texts[start:end])) > 2 * _MAX_TITLE_CHARS:
            continue
        length = len(columns.text(place))
        for chunks in range(end - start - 1, 0, -1):
            for part in (range(start, start + chunks), range(end - chunks, end)):
                text = _fold(columns.join(part))
                if len(text) >= _MIN_HEADING_CHARS:
                    yield text, 2 * len(text) >= length


def _shown(columns: Columns, declared: Sequence[str], names: Collection[str]) -> str:
    """The only h1 of a page if it shares words with the declared title, which sites may reword for search engines."""
    places = [place for place in columns.places("h1") if columns.text_length[place]]
    text = _fold(columns.text(places[0])) if len(places) == 1 else ""
    wanted = next((each for each in declared if each), "")
    if not _MIN_SHOWN_CHARS <= len(text) <= _MAX_SHOWN_CHARS or _squeeze(text) in names or not wanted:
        return ""
    mine, theirs = (set(_WORDS.findall(each.lower())) for each in (text, without_site_name(wanted, names)))
    return text if len(mine & theirs) >= _MIN_SHARED * len(mine) else ""


def _fold(text: str) -> str:
    return " ".join(text[:_MAX_TITLE_CHARS].replace("\xad", "").split())


def _is_declared(heading: str, declared: Sequence[tuple[str, str]], names: Collection[str]) -> bool:
    """Whether one of these titles, each with its letters alone, contains the heading as its headline."""
    part = _squeeze(heading)
    return part not in names and any(part in letters and _confirms(text, heading, names) for text, letters in declared)


def _confirms(declared: str, heading: str, names: Collection[str]) -> bool:
    """Whether a declared title that contains the heading contains it as the headline, not as a site's or channel's name."""
    part, headline = _squeeze(heading), _squeeze(without_site_name(declared, names))
    return 2 * len(part) >= len(headline) or (_squeeze(declared).startswith(part) and _ends_segment(declared, heading))


def _ends_segment(declared: str, heading: str) -> bool:
    return bool(_SEPARATOR.match(declared[len(heading) :]))


def _is_long(heading: str) -> bool:
    return len(heading) >= _MIN_HEADING_CHARS


def _before(found: str, headings: Sequence[str], whole: str) -> str:
    """A heading that begins the `title` element, if this one only ends it, as the site's name does, and is no longer."""
    if not whole.endswith(_squeeze(found)):
        return found
    others = (other for other in headings if len(other) >= len(found) and whole.startswith(_squeeze(other)))
    return next(others, found)


def _squeeze(text: str) -> str:
    return "".join(text.split()).lower()
