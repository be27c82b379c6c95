"""Rules that read results from HTML (CSS selectors or XPath) or from JSON (dotted paths)."""

from typing import Annotated, Any

from lxml.etree import XPath
from pydantic import AfterValidator, BeforeValidator, Field

from crawler.config.yaml_file import Strict
from crawler.engines.protocol.engine import BlockedError, NoResultsError, Reply, Result
from crawler.engines.protocol.redirects import unwrap
from crawler.engines.protocol.result_dates import written_date
from crawler.engines.protocol.strays import inner_blocks, is_aside, leads_to_result
from extractors.feeds import UnreadableError, check_selector, flat_text, objects_at, selected, text_at
from extractors.feeds import parse_json as read_json

_MAX_BLOCKS = 500
"""Bounds the work on one page, since blocks may be nested and the text of each is read."""
_MAX_SNIPPET_CHARS = 300
_MAX_LINKS = 5
"""Links of a block that are checked for its result."""
_OUTSIDE_LINKS = XPath(".//text()[not(ancestor::a or parent::script or parent::style or ancestor::h3 or ancestor::h2)]")


def as_tuple(value: Any) -> Any:
    """A text or a list as a tuple; anything else unchanged."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


Selector = Annotated[str, AfterValidator(check_selector)]


class HtmlRules(Strict):
    """CSS selectors, or XPath that begins with "." or "/"; all but `block` are relative to a result's block; "" for none.

    `target` names attributes of the link or the block that hold the real address; the first one present replaces the href.
    """

    block: Annotated[Selector, Field(min_length=1)]
    link: Annotated[Selector, Field(min_length=1)]
    title: Selector = ""
    snippet: Selector = ""
    date: Selector = ""
    target: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()

    def read(self, reply: Reply) -> list[Result]:
        """Results in document order, each address once; raises EngineRuleError for an invalid selector."""
        results: dict[str, Result] = {}
        pairs = ((block, self._link(block, reply)) for block in _select(self.block, reply.page.root)[:_MAX_BLOCKS])
        known = [(block, *found) for block, found in pairs if found]
        inside = inner_blocks([(block, link) for block, link, _ in known])
        for (block, link, url), is_inner in zip(known, inside, strict=True):
            title = _text(self.title, block) or flat_text(link)
            if title and url not in results and not is_inner:
                snippet, date = (
                    _text(self.snippet, block) or _outside_links(block),
                    written_date(_text(self.date, block)),
                )
                results[url] = Result(url, title, snippet, date, len(results) + 1)
        return list(results.values())

    def _link(self, block: Any, reply: Reply) -> tuple[Any, str] | None:
        """A block's first link to a result, and its target."""
        for link in _select(self.link, block)[:_MAX_LINKS]:
            url = unwrap(self._address(block, link), reply.url)
            if leads_to_result(url, reply.url) and not is_aside(link, block):
                return link, url
        return None

    def _address(self, block: Any, link: Any) -> str:
        for name in self.target:
            for element in (link, block):
                value = element.get(name) or ""
                if value.startswith(("http://", "https://")):
                    return str(value)
        return str(link.get("href") or "")


def _select(selector: str, element: Any) -> list[Any]:
    return [each for each in selected(selector, element) if not isinstance(each, str)]


def _text(selector: str, block: Any) -> str:
    found = selected(selector, block) if selector else []
    return next((text for each in found if (text := flat_text(each))), "")


def _outside_links(block: Any) -> str:
    """Text of a block outside its links: the snippet if the engine renamed its classes."""
    pieces: Any = _OUTSIDE_LINKS(block)
    return flat_text(" ".join(pieces), _MAX_SNIPPET_CHARS)


class JsonRules(Strict):
    """Dotted paths: to the list of results, and to each field within a result; "" for none."""

    items: str
    url: str = "url"
    title: str = "title"
    snippet: str = ""
    date: str = ""

    def read(self, reply: Reply) -> list[Result]:
        """Parse results; raises BlockedError if the answer is not JSON, NoResultsError for an empty list."""
        results: list[Result] = []
        for item in objects_at(parse_json(reply), self.items):
            url, title = text_at(item, self.url), text_at(item, self.title)
            if url.startswith(("http://", "https://")) and title:
                snippet, date = text_at(item, self.snippet), written_date(text_at(item, self.date))
                results.append(Result(url, title, snippet, date, len(results) + 1))
        if not results:
            raise NoResultsError(f"no list at {self.items}, or an empty one")
        return results


def parse_json(reply: Reply) -> Any:
    """The answer's JSON; raises BlockedError for anything else."""
    try:
        return read_json(reply.body, reply.headers.get("content-type", ""))
    except UnreadableError:
        raise BlockedError("the answer is not JSON") from None
