"""Writes of what a watch has learned: rows that the store does not take count as changed again."""

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from crawler.watching.rows import WatchRows
from pipelines.stores.base import Row, Store, StoreError, Table

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Writes:
    """The writes that are under way."""

    rows: WatchRows
    _under_way: list[tuple["Future[None]", Sequence[tuple[Table, Row]]]] = field(default_factory=list)

    def begin(self, store: Store, rows: Sequence[tuple[Table, Row]]) -> None:
        """Write these rows; the caller need not wait."""
        self._under_way.append((store.write(rows), rows))

    def settle(self) -> None:
        """See which writes have ended; what was refused is written with the next rows.

        Raises:
            Exception: a write has failed for another reason than the store's.
        """
        ended = [(future, rows) for future, rows in self._under_way if future.done()]
        self._under_way = [(future, rows) for future, rows in self._under_way if not future.done()]
        for future, rows in ended:
            try:
                future.result()
            except StoreError as error:
                logger.warning("What the watch has learned is stored later: %s", error)
                self.rows.not_stored(rows)
