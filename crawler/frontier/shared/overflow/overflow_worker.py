"""Gets and does jobs on packed requests, and finds single ones."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from crawler.frontier.base import KnownRequest
from crawler.frontier.shared.overflow.changes import BlockChange, best_first, change_for
from crawler.frontier.shared.overflow.request_blocks import BlockError, payload_of, unpack_rows

logger = logging.getLogger(__name__)
_JOBS, _ROUNDS = 4, 4
"""Jobs per script, as longer ones block other nodes; scripts per call."""
_SEARCHED_BLOCKS = 32

Ask = Callable[[Sequence[Any], int], Any]
"""Maps changes and the number of wanted jobs to the reply of `work.lua`."""


class OverflowWorker:
    """Does jobs until none is left or the limit of a call is reached."""

    def __init__(self) -> None:
        self._fault = ""

    def work(self, ask: Ask) -> None:
        """Send changes together with the request for the next jobs. Failed jobs are logged and assigned again."""
        changes: list[BlockChange] = []
        for turn in range(_ROUNDS + 1):
            reply = ask([change.as_plain() for change in changes], _JOBS if turn < _ROUNDS else 0)
            if reply[0] == b"other":
                return
            changes = [change for job in reply[1] if (change := self._change(job))]
            if not changes:
                return

    def _change(self, job: Sequence[Any]) -> BlockChange | None:
        try:
            return change_for(job)
        except BlockError as error:
            fault = f"A part of the queue of {job[1].decode(errors='replace')} waits: {error}"
            if fault != self._fault:
                logger.error(fault)
            self._fault = fault
            return None


def find_packed(key: bytes, host: str, view: Callable[[int, int], Any]) -> KnownRequest | None:
    """The host's packed request with this key.

    `before` counts all requests before its block, and those before it in the block. Raises BlockError for an unreadable
    block.

    Args:
        view: maps the first block and a number of blocks to the view "overflow".
    """
    first = before = 0
    while len(reply := view(first, _SEARCHED_BLOCKS)) > 1:
        for packed in reply[1:]:
            rows = sorted(unpack_rows(packed), key=best_first)
            for place, row in enumerate(rows):
                if row.own_key == key:
                    known = KnownRequest("queued", row.priority, payload_of(row, host), row.attempts)
                    return replace(known, before=reply[0] + before + place)
            before += len(rows)
        first += _SEARCHED_BLOCKS
    return None
