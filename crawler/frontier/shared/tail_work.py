"""The work on tails as a node asks for it and does it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from crawler.frontier.base import KnownRequest
from crawler.frontier.shared.block_stores import BlockStore, BlockStoreError
from crawler.frontier.shared.blocks import BlockError, payload_of, unpack_rows
from crawler.frontier.shared.tails import Change, best_first, change_for, name_in

logger = logging.getLogger(__name__)
_JOBS, _ROUNDS = 4, 4
"""Of one script: a longer one keeps other nodes waiting; of one call."""
_SEEN_BLOCKS = 32

Ask = Callable[[Sequence[Any], int, Sequence[bytes], Sequence[bytes]], Any]
"""From changes, how many jobs are wanted, names of blocks that will be put into the store, and names that were dropped there,
to the reply of `lua/tails.lua`."""


class TailWork:
    """Does jobs until none is left, or enough for now.

    Args:
        store: where blocks are kept, None for the queue itself.
    """

    def __init__(self, store: BlockStore | None) -> None:
        self._store = store
        self._fault = ""

    def do(self, crawl: str, ask: Ask) -> None:
        """Changes go in with the question for the next jobs. What cannot be done now is logged, and given out again."""
        changes: list[Change] = []
        dropped: Sequence[bytes] = ()
        for turn in range(_ROUNDS + 1):
            plain = [change.as_plain(with_blocks=self._store is None) for change in changes]
            reply = ask(plain, _JOBS if turn < _ROUNDS else 0, (), dropped)
            if reply[0] == b"other":
                return
            _, jobs, strays = reply
            try:
                dropped = self._drop(strays)
                changes = [change for job in jobs if (change := self._change(job))]
                self._put(crawl, changes, ask)
            except BlockStoreError as error:
                self._say_once(str(error))
                return
            if not changes and not dropped:
                return

    def _change(self, job: Sequence[Any]) -> Change | None:
        try:
            return change_for(job, self._fetch)
        except BlockError as error:
            self._say_once(f"A part of the queue of {job[1].decode(errors='replace')} waits: {error}")
            return None

    def _fetch(self, stub: bytes, packed: bytes | None) -> bytes:
        """See `tails.Fetch`."""
        found = packed or (self._store.get(name_in(stub)) if self._store else None)
        if found is None:
            raise BlockError("its block is not where FRONTIER_TAILS says; set it as it was when the crawl was begun")
        return found

    def _put(self, crawl: str, changes: Sequence[Change], ask: Ask) -> None:
        """First the queue hears of blocks, so that they are dropped if this node dies before they are in a tail."""
        blocks = {block.name: block.packed for change in changes for block in change.come}
        if self._store is not None and blocks and ask((), 0, list(blocks), ())[0] != b"other":
            self._store.put(crawl, blocks)

    def _drop(self, names: Sequence[bytes]) -> Sequence[bytes]:
        """Names of blocks that are in the store no more."""
        if self._store is None or not names:
            return ()
        self._store.drop(names)
        return names

    def _say_once(self, fault: str) -> None:
        if fault != self._fault:
            logger.error(fault)
        self._fault = fault

    def find(self, key: bytes, host: str, view: Callable[[int, int], Any]) -> KnownRequest | None:
        """The host's request with this key if it is in the tail that the view shows; `before` counts all that lies before its
        block, and what comes first in it."""
        first = before = 0
        while len(reply := view(first, _SEEN_BLOCKS)) > 1:
            for stub, packed in reply[1:]:
                rows = sorted(unpack_rows(self._fetch(stub, packed)), key=best_first)
                for place, row in enumerate(rows):
                    if row.own_key == key:
                        known = KnownRequest("queued", row.priority, payload_of(row, host), row.attempts)
                        return replace(known, before=reply[0] + before + place)
                before += len(rows)
            first += _SEEN_BLOCKS
        return None

    def forget(self, crawl: bytes) -> None:
        """The queue was forgotten; nothing for b""."""
        if self._store is None or not crawl:
            return
        try:
            self._store.forget(crawl.decode())
        except BlockStoreError as error:
            logger.warning("%s. Blocks of a crawl that is gone stay there; they do no harm", error)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
