"""The tools: each queries a console page as a viewer, without the names of comment authors."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from console.access.people import Person, Role
from console.frame.app_context import AppContext
from console.frame.page import ConsolePage
from console.frame.params import ParamError, read_params
from console.frame.request_context import RequestContext
from console.frame.word_catalogue import Words
from console.pages import PAGES, article, articles, events, trend
from crawler.checks.address import facts_of
from pipelines.stores.base import Order, StoreError
from pipelines.stores.tables import RUNS

ASSISTANT = Person("assistant", Role.VIEWER, may_decide=False)
_BODY_CHARS = 20_000
_MAX_RUNS = 50
_ARTICLE = (
    "key",
    "url",
    "host",
    "kind",
    "title",
    "author",
    "published",
    "published_precision",
    "published_by",
    "language",
    "topic",
    "relevance",
    "relevance_reason",
    "body",
)
_POST = ("author", "time", "text", "likes", "answers")


class AskError(ValueError):
    """The question cannot be answered; the message says why."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Store queries that return plain JSON values."""

    app_context: AppContext

    def search(
        self, query: str, topic: str = "", host: str = "", since: str = "", until: str = "", after: str = ""
    ) -> dict[str, Any]:
        """Find pages and posts by words.

        All words must match; OR, NOT, "exact phrases", title: and author: are supported. since and until are days such as
        2026-11-22. One row an event; `after` of an answer asks for the next part. `url` is the source of a row, `passage` where the
        words are.
        """
        given = {"q": query, "topic": topic, "host": host, "from": since, "to": until, "after": after}
        found = self._ask(articles.PAGE, given)
        rows = [row | {"passage": "".join(text for text, _ in row.get("passage", ()))} for row in found["rows"]]
        return {"rows": rows, "after": found["after"], "hits": found["hits"]}

    def article(self, key: str) -> dict[str, Any]:
        """One page by the key of a search: its text, why it is relevant, of what it is a copy, and its first comments without names."""
        found = self._ask(article.PAGE, {}, key)
        kept = {name: found["article"][name] for name in _ARTICLE}
        kept["body"] = (kept["body"] or "")[:_BODY_CHARS]
        return {"article": kept, "comments": [_post(each) for each in found["records"]], "story": found["story"]}

    def event(
        self, key: str = "", query: str = "", topic: str = "", since: str = "", until: str = "", after: str = ""
    ) -> dict[str, Any]:
        """One event by its key; without a key events, the latest first.

        Of one: when, where and who with the sentences that say so, a digest with its pages, who copied whom, its curve, moods of
        comments.
        """
        if key:
            return dict(self._ask(events.EVENT, {}, key))
        given = {"q": query, "topic": topic, "from": since, "to": until, "after": after}
        return dict(self._ask(events.PAGE, given))

    def trend(self, of: str = "", topic: str = "", since: str = "", until: str = "", by: str = "day") -> dict[str, Any]:
        """How many pages have up to five words, topics, places or people, by day or week.

        `of` is for instance "首付, place:上海". Also the words of the last seven days with their change.
        """
        return dict(self._ask(trend.PAGE, {"of": of, "topic": topic, "from": since, "to": until, "by": by}))

    def why(self, url: str) -> dict[str, Any]:
        """The history of a URL: how it was found, fetched or refused, and why."""
        try:
            return dict(facts_of(self.app_context.settings, url, self.app_context.store))
        except (ValueError, StoreError) as error:
            raise AskError(str(error)) from None

    def runs(self, limit: int = 20) -> dict[str, Any]:
        """The last runs of spiders: state, times, pages, errors, and the sentence that says how each ended."""
        columns = [column.name for column in RUNS.columns if column.name != "arguments"]
        rows = self.app_context.store.select(
            RUNS, order=[Order("started", True)], limit=max(1, min(_MAX_RUNS, limit)), columns=columns
        )
        return {"rows": list(rows)}

    def jobs(self) -> dict[str, Any]:
        """The jobs of each node now: their names, spiders and states."""
        return dict(self._ask(next(page for page in PAGES if page.name == "nodes"), {}))

    def _ask(self, page: ConsolePage, given: Mapping[str, str], key: str = "") -> Mapping[str, Any]:
        """The data of a page; raises AskError for an invalid filter or an unknown key."""
        app_context = self.app_context
        try:
            ctx = RequestContext(
                app_context, ASSISTANT, Words("en"), ZoneInfo(app_context.config.zone), app_context.now(), page.path,
                params=read_params(page.params, given), place={"key": key},
            )  # fmt: skip
            found = page.view(ctx)
        except (ParamError, StoreError) as error:
            raise AskError(str(error)) from None
        if found is None:
            raise AskError(f"there is nothing with the key {key!r}")
        return found

    def all(self) -> list[Callable[..., dict[str, Any]]]:
        return [self.search, self.article, self.event, self.trend, self.why, self.runs, self.jobs]


def _post(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in _POST if name != "answers"} | {
        "answers": [_post(each) for each in row["answers"]]
    }
