"""The author of an article, or the starter of a thread: declared, shown, or named in the text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from extractors.article.author_names import (
    MAX_NAME_CHARS,
    closing_name,
    is_house,
    is_junk,
    is_label,
    owner_of,
    reporters,
    without_post,
)
from extractors.article.byline import Byline
from extractors.html.document import Document
from extractors.html.jsonld import names_of, resolve_ids
from extractors.links.urls import host_of
from extractors.records import Record

_NAMES = (
    *("article:author", "citation_author", "author", "og:article:author", "dc.creator"),
    *("byl", "parsely-author", "sailthru.author"),
)
"""Names of meta elements."""
_OTHER_NAME = re.compile(r"author[-_]?name$")
"""Ending of other names of meta elements, whose prefix is a site's or a tool's."""
_WRITTEN_BY = re.compile(
    r"^(?:written by|author|verfasst von|geschrieben von|écrit par|escrito por|scritto da|geschreven door|skrevet av|napisane przez"
    r"|автор|written by:|作者|撰文者|投稿者|執筆者|글쓴이|작성자)$",
    re.I,
)
"""Labels of an author among the labels that a page declares for link previews."""
_LETTER = re.compile(r"[^\W\d_]")
_ACCOUNT_PAGE = re.compile(
    r"/author/(?:admin\w{0,20}|editor(?:ial)?|redaktion|webmaster|staff|news(?:room)?)/?\s", re.I
)
_ACCOUNT = re.compile(r"[a-z][a-z\d._-]{3,60}")
"""The form of account names."""
_URL = re.compile(r"^\s*(?:https?:)?//", re.I)
_MAX_NAMES_CHARS, _MAX_LIST_CHARS = 100, 400
_MIN_WORD_CHARS, _MIN_HOUSE_CHARS = 3, 8
_IS_LIST = re.compile(r"\s?(?:[,;&/、，]|and\b|und\b)\s?\w")
"""Follows the first of several names."""
_EDGES = " \t\r\n,;\"“”'"


def author_of(page: Document, metas: Mapping[str, str], data: Mapping[str, Any], byline: Byline, text: str) -> str:
    """The declared author, else the name near the title; a declared author that is the site itself is the last choice."""
    declared = [name for name in map(_plain, filter(None, _declared(page, metas, data))) if _is_name(name)]
    houses = _houses(page, metas, data)
    own = [name for name in declared if not _is_house(name, houses)]
    by_tools = list(filter(_is_name, _declared_by_tools(metas)))
    others = [name for name in by_tools if not _is_house(name, houses)]
    if own and _ACCOUNT.fullmatch(own[0]) and _is_of_account(byline.author, own[0]):
        return byline.author
    if own:
        return _beside(byline.stated, own, houses) or _fullest([*own, *others])
    shown = (name for name in _shown(byline, text, bool(declared)) if not _is_house(name, houses))
    found = next(chain(shown, others), "") or closing_name(text)
    if found or not byline.author:
        return found or next(chain(declared, by_tools), "") or byline.labelled
    more = (name for name in byline.authors() if not _is_house(name, houses) and not _begins_as_house(name, houses))
    return next(more, byline.author)


def starter_of(page: Document, data: Mapping[str, Any], byline: Byline, posts: Sequence[Record]) -> str:
    """The starter of a thread: the declared author, else a name near the title that no post has, else the first post's author."""
    declared = names_of(resolve_ids(page, data.get("author"))).strip(_EDGES)
    if declared and not is_label(declared):
        return declared
    if byline.author and byline.author not in {post.author for post in posts}:
        return byline.author
    first = posts[0].author.strip(_EDGES)
    return "" if is_label(first) else first


def _declared(page: Document, metas: Mapping[str, str], data: Mapping[str, Any]) -> Iterator[str]:
    """All declared authors, the best first."""
    yield names_of(resolve_ids(page, data.get("author"))).strip(_EDGES)
    for name in _NAMES:
        yield _in_order(metas.get(name, "")) if name == "citation_author" else metas.get(name, "").strip(_EDGES)


def _declared_by_tools(metas: Mapping[str, str]) -> Iterator[str]:
    """Authors that tools declare: often the account that published the text."""
    for number in "12":
        if _WRITTEN_BY.fullmatch(metas.get(f"twitter:label{number}", "").strip()):
            yield metas.get(f"twitter:data{number}", "").strip(_EDGES)
    yield from (value.strip(_EDGES) for name, value in metas.items() if _is_other_name(name))


@lru_cache(maxsize=2_000)
def _is_other_name(name: str) -> bool:
    """Cached, since pages of a site share names."""
    return _OTHER_NAME.search(name) is not None


def _plain(name: str) -> str:
    return owner_of(without_post(name))


def _in_order(name: str) -> str:
    """Put the given name before the family name, which libraries write first."""
    family, _, given = name.partition(",")
    return f"{given.strip()} {family.strip()}".strip()


def _shown(byline: Byline, text: str, declares: bool) -> Iterator[str]:
    """Names near the title and in the text, the best first; a name that is a paragraph alone counts only if the page declares
    an author, even a publisher."""
    yield from filter(None, [byline.author, reporters(text)])
    if declares or byline.author:
        yield from filter(None, [byline.signed])


def _is_of_account(name: str, account: str) -> bool:
    """Whether a name of several words may belong to the owner of this account."""
    words = [word.lower() for word in name.split() if len(word) >= _MIN_WORD_CHARS]
    return " " in name and ("." in account or any(word in account for word in words))


def _beside(stated: str, declared: Sequence[str], houses: set[str]) -> str:
    """The byline beside the title if it names nobody of those declared, who then published the text; else ""."""
    if not stated or _is_house(stated, houses) or _begins_as_house(stated, houses):
        return ""
    known = {word for name in declared for word in name.lower().split()}
    return "" if known.intersection(stated.lower().split()) or _squeeze(stated) in map(_squeeze, declared) else stated


def _fullest(names: list[str]) -> str:
    """The first name, or a list of names that begins with it."""
    first = names[0]
    lists = (name for name in names if name.startswith(first) and _IS_LIST.match(name[len(first) :]))
    return max(lists, key=len, default=first)


def _is_name(text: str) -> bool:
    several = text.split(",")
    long = len(text) > _MAX_NAMES_CHARS and not (
        len(text) <= _MAX_LIST_CHARS and all(len(each.strip()) <= MAX_NAME_CHARS for each in several)
    )
    return not long and bool(_LETTER.search(text)) and not _URL.match(text) and not is_junk(text)


def _is_house(name: str, houses: set[str]) -> bool:
    return not houses.isdisjoint((_squeeze(name), _letters(name))) or is_house(name)


def _begins_as_house(name: str, houses: set[str]) -> bool:
    letters = _letters(name)
    return any(len(house) >= _MIN_HOUSE_CHARS and letters.startswith(house) for house in houses)


def _houses(page: Document, metas: Mapping[str, str], data: Mapping[str, Any]) -> set[str]:
    """Names of the site, its publisher and its own accounts."""
    owner = resolve_ids(page, data.get("publisher"))
    publisher = "" if isinstance(owner, dict) and "Person" in (owner.get("@type") or ()) else names_of(owner)
    said = {_squeeze(name) for name in (publisher, metas.get("og:site_name", "")) if name}
    return said | _names_of_host(page.url) | _names_of_accounts(data.get("author"))


def _names_of_host(url: str) -> set[str]:
    """The host's name, its parts but the last, and its last two, letters and digits only: for www.ntv.com.tr also "ntv"."""
    host = host_of(url).removeprefix("www.")
    parts = host.split(".")
    return {_letters(part) for part in (host, *parts[:-1], "".join(parts[-2:]))} - {""}


def _names_of_accounts(author: Any) -> set[str]:
    """Names of declared authors whose page is that of a site account, such as /author/admin/."""
    persons = [each for each in (author if isinstance(author, list) else [author]) if isinstance(each, dict)]
    addresses = (f"{each.get('url', '')} {each.get('@id', '')} " for each in persons)
    pairs = zip(persons, addresses, strict=True)
    return {_squeeze(names_of(person)) for person, address in pairs if _ACCOUNT_PAGE.search(address)} - {""}


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _squeeze(name: str) -> str:
    return "".join(name.split()).lower()
