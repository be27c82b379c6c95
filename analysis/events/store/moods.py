"""The mood of what people wrote under the pages of an event."""

from collections.abc import Iterator
from itertools import islice

from analysis.mood import MoodSpread, classify_mood, spread_of
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import RECORDS

_PAGES = 60
_POSTS_A_PAGE = 30
MAX_POSTS = 300
_LETTERS = 600


def event_mood(store: Store, event: str) -> MoodSpread:
    """Comments by mood, from the most commented pages: at most 30 per page and 300 in total."""
    return spread_of(classify_mood(text).label for text in islice(_texts(store, event), MAX_POSTS))


def _texts(store: Store, event: str) -> Iterator[str]:
    where = [Condition("event", "=", event), Condition("comments", ">", 0)]
    for row in store.select(MEMBERS, where, [Order("comments", True)], _PAGES, ("page",)):
        wanted = [Condition("page", "=", row["page"])]
        for post in store.select(RECORDS, wanted, limit=_POSTS_A_PAGE, columns=("text", "is_first")):
            if post["text"] and not post["is_first"]:
                yield post["text"][:_LETTERS]
