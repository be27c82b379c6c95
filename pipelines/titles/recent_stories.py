"""Stories with rows that the store may not have yet: whoever joins one needs these besides the stored ones."""

import time
from collections import OrderedDict
from collections.abc import Iterable

from pipelines.stores.base import Row

_MAX_STORIES = 1_000
_ON_THE_WAY_SECONDS = 30.0
"""From a decision until the store is surely asked to write its rows, however long the event loop was held up."""


class RecentStories:
    """The rows of the stories that were decided last, by page; one thread at a time."""

    def __init__(self) -> None:
        self._stories: OrderedDict[str, tuple[float, dict[str, Row]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._stories)

    def take(self, story: str) -> dict[str, Row]:
        """Its rows, which are put back with what has joined it; none if they are not kept."""
        _, rows = self._stories.pop(story, (0.0, {}))
        return rows

    def put(self, story: str, rows: Iterable[Row]) -> None:
        """Keep these until they are in the store, or a thousand other stories have come."""
        self._stories[story] = time.monotonic(), {row["page"]: row for row in rows}
        if len(self._stories) > _MAX_STORIES:
            self._stories.popitem(last=False)

    def forget_stored(self, lag: float) -> None:
        """Forget what is durable. lag: for how many seconds the oldest of the writes that are not has waited."""
        stored = time.monotonic() - lag - _ON_THE_WAY_SECONDS
        while self._stories and next(iter(self._stories.values()))[0] < stored:
            self._stories.popitem(last=False)
