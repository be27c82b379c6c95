"""The work on tails as a node asks for it and does it, and the place where blocks are kept."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from crawler.frontier.base import KnownRequest
from crawler.frontier.shared.blocks import BlockError, payload_of, unpack_rows
from crawler.frontier.shared.tails import Change, best_first, change_for, name_in

logger = logging.getLogger(__name__)
_JOBS, _ROUNDS = 4, 4
"""Of one script: a longer one keeps other nodes waiting; of one call."""
_SEEN_BLOCKS = 32

Ask = Callable[[Sequence[Any], int], Any]
"""From changes, and how many jobs are wanted, to the reply of `lua/tails.lua`."""


class BlockStore(Protocol):
    """Blocks of one queue by name. A block never changes; `StoreAwayError` where waiting may help."""

    def put(self, blocks: Mapping[bytes, bytes]) -> None:
        """Keep these; they are durable when this returns."""

    def get(self, name: bytes) -> bytes | None:
        """The block, None if it is not there."""

    def drop(self, names: Sequence[bytes]) -> None:
        """These are in no queue any more; they may be kept some seconds longer."""

    def clear(self) -> None:
        """Drop all blocks of the queue."""


class TailWork:
    """Does jobs until none is left, or enough for now.

    Args:
        store: where blocks are kept, None for the queue itself.
    """

    def __init__(self, store: BlockStore | None) -> None:
        self._store = store
        self._unreadable = ""

    def do(self, ask: Ask) -> None:
        """Changes go in with the question for the next jobs."""
        changes: list[Change] = []
        for turn in range(_ROUNDS + 1):
            plain = [change.as_plain(with_blocks=self._store is None) for change in changes]
            reply = ask(plain, _JOBS if turn < _ROUNDS else 0)
            if reply[0] == b"other":
                return
            made, jobs = reply
            self._forget(change for change, is_made in zip(changes, made, strict=True) if is_made)
            changes = [change for job in jobs if (change := self._change(job))]
            if not changes:
                return

    def _change(self, job: Sequence[Any]) -> Change | None:
        try:
            change = change_for(job, self._fetch)
        except BlockError as error:
            if str(error) != self._unreadable:
                logger.error("A part of the queue of %s waits: %s", job[1].decode(errors="replace"), error)
            self._unreadable = str(error)
            return None
        if self._store is not None and change.come:
            self._store.put({block.name: block.packed for block in change.come})
        return change

    def _fetch(self, stub: bytes, packed: bytes | None) -> bytes:
        """See `tails.Fetch`."""
        found = packed or (self._store.get(name_in(stub)) if self._store else None)
        if found is None:
            raise BlockError("its block is not where FRONTIER_TAILS says; set it as it was when the crawl was begun")
        return found

    def _forget(self, made: Any) -> None:
        if self._store is not None:
            self._store.drop([name_in(stub) for change in made for stub in change.go])

    def find(self, key: bytes, view: Callable[[int, int], Any]) -> KnownRequest | None:
        """The request with this key if it is in the tail that the view shows; `before` counts all that lies before its
        block, and what comes first in it."""
        first = before = 0
        while len(reply := view(first, _SEEN_BLOCKS)) > 1:
            for stub, packed in reply[1:]:
                rows = sorted(unpack_rows(self._fetch(stub, packed)), key=best_first)
                for place, row in enumerate(rows):
                    if row.own_key == key:
                        known = KnownRequest("queued", row.priority, payload_of(row), row.attempts)
                        return replace(known, before=reply[0] + before + place)
                before += len(rows)
            first += _SEEN_BLOCKS
        return None

    def forget_all(self) -> None:
        """The queue was forgotten."""
        if self._store is not None:
            self._store.clear()
