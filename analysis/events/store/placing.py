"""Assignment of pages to events as they arrive, in any order.

Each page is decided at once with the pages known by then. If it is early or corrected, what it may affect is decided again later
(`Repair`).
"""

from analysis.events import Clusters, Placing, Settings
from analysis.events.reading import ReportReading
from analysis.events.store.doubts import Position, earlier
from analysis.events.store.moved_limits import MovedLimits
from analysis.events.store.restoring import newest_of, restored
from analysis.events.window import Vector
from pipelines.stores.base import Store


class Placer:
    """The stream so far; its input is stored in `members` and `readings`, and read when the first page needs it.

    Attributes:
        last: the position of the last page. moved: the limits of each topic.
    """

    def __init__(self, store: Store, settings: Settings | None = None, moved: MovedLimits | None = None) -> None:
        self._store, self._settings = store, settings or Settings()
        self.moved = moved or MovedLimits(())
        self._clusters: Clusters | None = None
        self.last = newest_of(store)

    def add(self, at: str, page: str, topic: str, reading: ReportReading) -> tuple[Placing, Vector, bool]:
        """Decide on a page; also returns whether it is late, so that a repair is needed. A page from before the window is alone until
        then."""
        position = (at, page)
        late = position < self.last
        if late and self.is_old(position):
            if self._clusters is not None:
                self._clusters.count(reading)
            return Placing(page, page, 0.0), Vector.unpack(b""), late
        if self._clusters is None:
            self._clusters = restored(self._store, self._settings)
        placing, vector = self._clusters.place(page, reading, self.moved.factor(topic, at))
        self.last = max(self.last, position)
        return placing, vector, late

    def is_old(self, position: Position) -> bool:
        """Whether a page of this position is older than all that new pages are compared with."""
        return bool(self.last[0]) and position[0] < earlier(self.last[0], self._settings.window_days)

    def go_on(self, clusters: Clusters, last: Position) -> None:
        """Continue with these clusters, which have decided on all pages up to the last one."""
        self._clusters, self.last = clusters, last

    def forget(self) -> None:
        """Read the stored decisions again for the next page, as they have changed."""
        self._clusters, self.last = None, newest_of(self._store)
