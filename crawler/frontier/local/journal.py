"""Changes to the embedded frontier's file: batched in transactions, and replayed after a failed commit.

While the disk is full no change is lost: changes wait in memory, in order, until there is space. They are few, since no
request is started during that time.
"""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from crawler.frontier.local.database import ends_by_itself, explained, may_end

logger = logging.getLogger(__name__)
COMMIT_SECONDS = 0.05
RETRY_SECONDS = 1.0
GRACE_SECONDS = 60.0
"""For a possibly transient error, as on a network disk."""
_Result = TypeVar("_Result")


class Journal:
    """One open transaction, and the changes since the last commit.

    Attributes:
        error: why the file is unavailable at present. fault: why it is permanently unusable.

    Args:
        completed: called before each commit; may change the file.
        rolled_back: called when the changes of the open transaction are not in the file.
        redone: called after changes were replayed, perhaps with other results than the first time.
    """

    def __init__(
        self,
        database: sqlite3.Connection,
        path: Path,
        completed: Callable[[], None],
        rolled_back: Callable[[], None],
        redone: Callable[[], None],
    ) -> None:
        self._database = database
        self._path = path
        self._completed = completed
        self._rolled_back = rolled_back
        self._redone = redone
        self._changes: list[Callable[[], object]] = []
        self._committed_at = time.monotonic()
        self._retry_at = self._failed_at = 0.0
        self.error = ""
        self.fault = ""

    @property
    def away(self) -> bool:
        """Whether the last write failed."""
        return bool(self.error)

    def make(self, change: Callable[[], _Result], result_if_away: _Result) -> _Result:
        """Make a change, or defer it while the file cannot be written."""
        result = self.attempt(change, result_if_away)
        self.remember(change)
        return result

    def attempt(self, change: Callable[[], _Result], result_if_away: _Result) -> _Result:
        """Make a change now, or not at all."""
        if self.away:
            return result_if_away
        try:
            if not self._database.in_transaction:
                self._database.execute("BEGIN")
            return change()
        except sqlite3.Error as error:
            self._fail(error)
            return result_if_away

    def read(self, query: Callable[[], _Result], result_if_away: _Result) -> _Result:
        """The result of a query, outside transactions."""
        if self.away:
            return result_if_away
        try:
            return query()
        except sqlite3.Error as error:
            self._fail(error)
            return result_if_away

    def remember(self, *changes: Callable[[], object]) -> None:
        """Record changes for a replay if the open transaction cannot be committed; commits when due."""
        self._changes += changes
        if time.monotonic() - self._committed_at > COMMIT_SECONDS:
            self.flush()

    def flush(self, *, at_once: bool = False) -> None:
        """Commit. After a failure, retries at most once a second unless `at_once`."""
        if self.fault or (self.away and not at_once and time.monotonic() < self._retry_at):
            return
        if not self.away and not self._database.in_transaction:
            return
        redo = self.away
        try:
            if redo:
                self._database.execute("BEGIN IMMEDIATE")
                for change in self._changes:
                    change()
            self._completed()
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            self._fail(error)
            return
        self._changes.clear()
        self._committed_at = time.monotonic()
        self.error = ""
        if redo:
            self._recount()

    def _recount(self) -> None:
        try:
            self._redone()
        except sqlite3.Error as error:
            self._fail(error)
        else:
            logger.info("The frontier %s can be written again; the crawl continues", self._path)

    def _fail(self, error: sqlite3.Error) -> None:
        with contextlib.suppress(sqlite3.Error):
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
        self._rolled_back()
        now = time.monotonic()
        self._retry_at = now + RETRY_SECONDS
        if not self.away:
            self._failed_at = now
            logger.warning("%s", explained(error, self._path))
        self.error = explained(error, self._path)
        seconds = GRACE_SECONDS if may_end(error) else 0.0
        if not ends_by_itself(error) and now - self._failed_at >= seconds:
            self.fault = self.error
