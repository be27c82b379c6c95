"""Notices when a list changes its shape: its items are gone, or half of their fields; an empty list is no change."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace

from scrapy.http import Response

from crawler.clock import crawl_now
from crawler.page_answers import content_type_of
from crawler.sources.list_answers import ListAnswer
from extractors.feeds import ListRecipe, UnreadableError, field_shares, read_by_recipe
from extractors.links.urls import host_of, url_key
from pipelines.stores.base import MutableRow, Row, Store
from pipelines.stores.watch_tables import LIST_STATES
from pipelines.zstd import Zstd

_MAX_KEPT_BYTES = 500_000
_USUAL_SHARE, _LOST_FACTOR = 0.8, 0.5
"""A field that at least this share of the items have is usual; it is lost when less than this part of them still have it."""
_MIN_LOST_SHARE = 0.5
_MIN_ITEMS = 3
"""Of fewer items no field is missed."""
_zstd = Zstd(3)


class ListHealth:
    """Judges answers of lists by the last good ones.

    Args:
        stored: the open store, if there is one.
        count: counts an event by name.
    """

    def __init__(self, stored: Callable[[], Store | None], count: Callable[[str], None]) -> None:
        self._stored, self._count = stored, count

    def see(self, response: Response, answer: ListAnswer) -> ListAnswer:
        """The answer with the row of its list; it is empty instead of unreadable if the list is only empty at present."""
        store = self._stored()
        if store is None:
            return answer
        asked = (
            (response.meta.get("redirect_urls") or [response.url])[0] if response.request is not None else response.url
        )
        known = store.get(LIST_STATES, url_key(asked))
        answer = _emptied(response, answer, known)
        reason = _change(answer, known)
        return replace(answer, rows=((LIST_STATES, self._row(asked, response, answer, known, reason)),))

    def _row(self, url: str, response: Response, answer: ListAnswer, known: Row | None, reason: str) -> MutableRow:
        now = crawl_now().isoformat(timespec="seconds")
        source = answer.address.source.name if answer.address is not None else ""
        row: MutableRow = {"key": url_key(url), "url": url, "source": source, "host": host_of(url), "read_at": now}
        was = known["state"] if known is not None else ""
        if answer.feed is None or reason:
            changed = known is not None and bool(known["good_at"])
            row |= {"state": "layout_changed" if changed else "unreadable", "reason": (reason or answer.fault)[:500]}
            row["bad"] = _zstd.compress(response.body[:_MAX_KEPT_BYTES])
            if changed and was != "layout_changed":
                row |= {"changed_at": now, "mended_at": ""}
                self._count("layout_changed")
            return row
        row |= {"state": "read", "reason": ""} | ({"mended_at": now} if was == "layout_changed" else {})
        if answer.feed.entries and (was != "read" or _is_old(known, now)):
            row |= {"good": _zstd.compress(response.body[:_MAX_KEPT_BYTES]), "good_at": now}
            row |= {"items": len(answer.feed.entries), "shares": dict(field_shares(answer.feed))}
            row["recipe"] = asdict(answer.recipe) if answer.recipe is not None else {}
        return row


def _is_old(known: Row | None, now: str) -> bool:
    """Whether the kept answer is of another hour."""
    return known is None or str(known["good_at"])[:13] != now[:13]


def _emptied(response: Response, answer: ListAnswer, known: Row | None) -> ListAnswer:
    """An empty list, where nothing tells that a document has one but the path at which there was one before."""
    if answer.feed is not None or known is None or not known["recipe"] or answer.address is not None:
        return answer
    recipe = ListRecipe(**known["recipe"])
    try:
        feed = read_by_recipe(response.body, response.url, recipe, content_type=content_type_of(response))
    except UnreadableError:
        return answer
    return replace(answer, feed=feed, fault="", recipe=recipe) if not feed.listed else answer


def _change(answer: ListAnswer, known: Row | None) -> str:
    """The change since the last good answer; "" for none, and for a list that was never read."""
    if known is None or not known["good_at"]:
        return ""
    if answer.feed is None:
        return answer.fault
    lost = _lost(known["shares"] or {}, field_shares(answer.feed)) if len(answer.feed.entries) >= _MIN_ITEMS else []
    usual = [name for name, share in (known["shares"] or {}).items() if share >= _USUAL_SHARE and name != "title"]
    if lost and len(lost) >= _MIN_LOST_SHARE * len(usual):
        return f"the items have no {', '.join(lost)} any more"
    if answer.feed.listed and len(answer.feed.entries) < _LOST_FACTOR * answer.feed.listed:
        return f"only {len(answer.feed.entries)} of {answer.feed.listed} items can be read" if _was_whole(known) else ""
    return ""


def _was_whole(known: Row) -> bool:
    return int(known["items"] or 0) >= _MIN_ITEMS


def _lost(before: Mapping[str, float], now: Mapping[str, float]) -> list[str]:
    return [
        name
        for name, share in before.items()
        if share >= _USUAL_SHARE and now.get(name, 0.0) < _LOST_FACTOR * share and name != "title"
    ]
