"""Select the pages of a list: one per event, no copies of a story. Pages are processed in groups, so that lookups are batched."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from console.queries.event_membership import events_of, latest_members, stories_of, with_keys
from pipelines.stores.base import Condition, MutableRow, Row, Store
from pipelines.stores.tables import PAGES

_FITTING = 60
_GROUP = 1_000
_WIDER = 3
_JUDGED = ("key", "host", "kind", "topic", "language", "title", "relevance")


@dataclass(frozen=True, slots=True)
class Judge:
    """`fit` are the filters that a row alone answers, `where` those of an index; `standing` is the page that stands for each event,
    "" if none of the latest ones is let through."""

    store: Store
    fit: Callable[[Row], bool]
    where: Sequence[Condition]
    has_copies: bool
    standing: dict[str, str] = field(default_factory=dict)

    def judged(self, rows: Iterable[MutableRow]) -> Iterator[MutableRow]:
        """All rows, each with `is_kept`; those that fit also with `story` and `event`, None if they have none."""
        for group in self._groups(rows):
            self._judge([row for row in group if row["is_kept"]])
            yield from group

    def _groups(self, rows: Iterable[MutableRow]) -> Iterator[list[MutableRow]]:
        """Groups of rows with enough matches, marked with `is_kept`."""
        group, fitting = list[MutableRow](), 0
        for row in rows:
            row["is_kept"] = self.fit(row)
            group.append(row)
            fitting += row["is_kept"]
            if fitting == _FITTING or len(group) == _GROUP:
                yield group
                group, fitting = [], 0
        yield group

    def _judge(self, rows: list[MutableRow]) -> None:
        pages = [row["key"] for row in rows]
        stories, events = stories_of(self.store, pages), events_of(self.store, pages)
        for row in rows:
            row["story"], row["event"] = stories.get(row["key"]), events.get(row["key"])
            row["is_kept"] = self.has_copies or not is_copy(row["story"])
        if self.has_copies:
            return
        kept = [row for row in rows if row["is_kept"] and row["event"]]
        self._settle({row["event"]["event"]: row["event"] for row in kept}, {row["key"] for row in kept})
        for row in kept:
            row["is_kept"] = self.standing[row["event"]["event"]] in ("", row["key"])

    def _settle(self, events: dict[str, Row], kept: set[str]) -> None:
        """Find the page that stands for each new event, the latest one that is let through; `kept` are known to be."""
        new = [event for key, event in events.items() if key not in self.standing]
        self.standing.update((event["event"], "") for event in new)
        left, width = latest_members(self.store, new), 1
        while left:
            asked = [page for pages in left.values() for page in pages[:width]]
            through = kept | self._let_through([page for page in asked if page not in kept])
            found = {
                event: next((page for page in pages[:width] if page in through), "") for event, pages in left.items()
            }
            self.standing.update(found)
            left = {event: pages[width:] for event, pages in left.items() if not found[event] and len(pages) > width}
            width *= _WIDER  # most events are decided by their latest page

    def _let_through(self, pages: Sequence[str]) -> set[str]:
        rows = with_keys(self.store, PAGES, "key", pages, self.where, _JUDGED)
        fitting = [row["key"] for row in rows if self.fit(row)]
        stories = stories_of(self.store, fitting)
        return {page for page in fitting if not is_copy(stories.get(page))}


def is_copy(story: Row | None) -> bool:
    """Whether the page is a copy of another stored page."""
    return story is not None and story["verdict"] == "repost"
