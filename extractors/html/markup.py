"""Features of a page's markup that show its kind: Open Graph, JSON-LD and microdata types, the engine that made it, names of its body."""

import re
from functools import lru_cache
from typing import Any

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.jsonld import nodes_of
from extractors.html.metas import meta_values

_OPEN_GRAPH = {
    "none": ("",),
    "article": ("article", "news", "blog"),
    "site": ("website", "blog", "homepage"),
    "product": ("product", "og:product", "product.item", "product.group", "books.book"),
    "profile": ("profile",),
    "video": ("video", "music"),
}
_TYPES = {
    "article": "article newsarticle blogposting report reportagenewsarticle",
    "technical": "techarticle apireference howto softwaresourcecode",
    "product": "product productgroup offer aggregateoffer individualproduct",
    "list": "collectionpage itemlist searchresultspage offercatalog blog",
    "thread": "discussionforumposting qapage question",
    "page": "webpage",
    "profile": "profilepage aboutpage contactpage",
    "video": "videoobject movie podcastepisode imagegallery musicrecording",
    "crumbs": "breadcrumblist",
    "organisation": "organization localbusiness corporation store person",
    "service": "service softwareapplication course event medicalprocedure webapplication",
    "questions": "faqpage",
    "recipe": "recipe",
}
_KIND_OF_TYPE = {word: kind for kind, words in _TYPES.items() for word in words.split()}
_ENGINES = {
    "blog": "wordpress hexo hugo jekyll typecho z-blog zblog ghost blogger pelican gatsby typepad movable".split(),
    "forum": "discourse discuz phpbb vbulletin xenforo flarum nodebb vanilla invision phpwind smf mybb".split(),
    "documentation": "sphinx mkdocs docusaurus gitbook vuepress vitepress antora doxygen readthedocs docutils mediawiki javadoc"
    " rustdoc".split(),
    "shop": "shopify woocommerce magento prestashop opencart bigcommerce shopware ecshop".split(),
}
_NAMED = re.compile(
    r"\b(?:(?P<one>single|singular|post-template\S*|postid\S*|article|detail|node-type-\w+|post)"
    r"|(?P<many>archive\S*|category\S*|tag\S*|author\S*|search\S*|blog|home|list\S*|index\S*|collection\S*|front\S*)"
    r"|(?P<shop>product\S*|woocommerce\S*|shop\S*|cart\S*)|(?P<page>page|page-template\S*|page-id\S*|landing\S*)"
    r"|(?P<forum>topic\S*|thread\S*|forum\S*|discussion\S*|viewtopic|bbs)|(?P<docs>docs?\S*|wiki\S*|mediawiki|rst\S*|mw-\S*))(?=\s|$)",
    re.I,
)
_GROUPS = tuple(_NAMED.groupindex)
_MAX_NAMES_CHARS = 400
_NAMES = (
    *(f"og {kind}" for kind in _OPEN_GRAPH),
    *(f"type {kind}" for kind in _TYPES),
    *(f"engine {kind}" for kind in _ENGINES),
    *(f"body {kind}" for kind in _GROUPS),
    *("published", "priced", "author", "described"),
)
MARKUP_NAMES = [f"markup {name}" for name in _NAMES]


def markup_features(page: Document) -> list[float]:
    """A value for each of `MARKUP_NAMES`."""
    metas = page.once(meta_values)
    graph = metas.get("og:type", "").strip().lower().partition(".")[0]
    types = {kind for word in _types(page) if (kind := _KIND_OF_TYPE.get(word))}
    engine = metas.get("generator", "").lower()[:200]
    body = _body_names(page.columns)
    declared = (
        any(name in metas for name in ("article:published_time", "datepublished", "pubdate")),
        any(name in metas for name in ("product:price:amount", "og:price:amount", "price")),
        "author" in metas or "article:author" in metas,
        "description" in metas,
    )
    return [
        *[float(graph in words) for words in _OPEN_GRAPH.values()],
        *[float(kind in types) for kind in _TYPES],
        *_engine(engine),
        *[float(kind in body) for kind in _GROUPS],
        *map(float, declared),
    ]


@lru_cache(maxsize=2_000)
def _engine(name: str) -> tuple[float, ...]:
    """A value for each of `_ENGINES`; cached, since many pages have the same engine."""
    return tuple(float(any(word in name for word in words)) for words in _ENGINES.values())


def _types(page: Document) -> set[str]:
    """The types that JSON-LD and microdata name, in lower case."""
    found: set[str] = set()
    for node in page.once(nodes_of):
        kinds: Any = node.get("@type")
        found.update(str(kind).lower() for kind in (kinds if isinstance(kinds, list) else [kinds]))
    for value in page.columns.sparse("itemtype").values():
        found.add(value.strip().rstrip("/").rpartition("/")[2].lower())
    return found


def _body_names(columns: Columns) -> set[str]:
    """The groups of `_NAMED` in the classes and ids of `html` and `body`."""
    places = [0, *columns.places("body")[:1]] if len(columns) else []
    names = " ".join(columns.value(place, name)[:_MAX_NAMES_CHARS] for place in places for name in ("class", "id"))
    return {str(match.lastgroup) for match in _NAMED.finditer(names)}
