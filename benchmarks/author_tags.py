"""The tags that authors gave to their own articles, read from the links of their sites, and the topics that they make.

An article has a tag where the tag's page (…/tags/NAME/, …/categories/NAME/, or a further page of it) lists the article and
the site's other tag pages mostly do not: what stands on many of them belongs to the frame (latest posts, tag clouds).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

from benchmarks.recorded_web import RecordedWeb

TAGGED = Path(__file__).parent / "topics" / "tagged.yaml"
"""Topic → tags of which any makes an article one of it."""
_TAG = re.compile(r"/(?:tags?|categor(?:y|ies))/(.+)$")
_NOT_TAGS = re.compile(r"page|p?\d+|index(?:\.html?)?")
_MAX_SHARE = 0.3
"""Share of a site's tag pages from which on what they list is its frame."""
_MIN_PAGES = 10


def tags_of(url: str) -> frozenset[str]:
    """The tags of a tag's page, in lower case: folders below each other are all tags; none for other pages."""
    found = _TAG.search(unquote(urlsplit(url).path, errors="replace"))
    if not found:
        return frozenset()
    names = (name.strip().lower() for name in found[1].split("/"))
    return frozenset(name for name in names if name and not _NOT_TAGS.fullmatch(name))


def author_tags(web: RecordedWeb, common: float = 1.0) -> dict[str, frozenset[str]]:
    """The tags of each article that has any, without those on more than this share of its site's articles with tags."""
    tags = _listed_tags(web)
    articles = Counter(web.pages[url].host for url in tags)
    bearing = Counter((web.pages[url].host, tag) for url, own in tags.items() for tag in own)
    usual = {(host, tag) for (host, tag), count in bearing.items() if count > common * articles[host]}
    telling = {
        url: frozenset(tag for tag in own if (web.pages[url].host, tag) not in usual) for url, own in tags.items()
    }
    return {url: own for url, own in telling.items() if own}


def _listed_tags(web: RecordedWeb) -> dict[str, frozenset[str]]:
    tag_pages = {url: tags for url in web.pages if (tags := tags_of(url))}
    listed = {url: {web.answer(target) for target in web.pages[url].links} for url in tag_pages}
    number = Counter(web.pages[url].host for url in tag_pages)
    often = Counter((web.pages[url].host, target) for url, targets in listed.items() for target in targets)
    found: dict[str, set[str]] = defaultdict(set)
    for url, targets in listed.items():
        host = web.pages[url].host
        for target in targets:
            page = web.pages.get(target)
            frame = often[host, target] > max(_MIN_PAGES, _MAX_SHARE * number[host])
            if page and page.host == host and not page.listing and page.known and not frame:
                found[target] |= tag_pages[url]
    return {url: frozenset(tags) for url, tags in found.items()}


def tagged_topics(tags: Mapping[str, frozenset[str]], path: Path = TAGGED) -> dict[str, frozenset[str]]:
    """The pages of each topic by their authors' tags."""
    topics: Mapping[str, list[str]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    wanted = {topic: frozenset(str(name).lower() for name in names) for topic, names in topics.items()}
    return {topic: frozenset(url for url, own in tags.items() if own & names) for topic, names in wanted.items()}
