"""A request in the embedded frontier's file, whichever table it lies in."""

from typing import NamedTuple

COLUMNS = "id, host, priority, attempt, reason, payload"
"""Of the three tables with requests, in the order of `StoredRequest`."""


class StoredRequest(NamedTuple):
    """What belongs to a request in every state.

    Attributes:
        number: within a priority, the smaller one comes first.
        host: the number of its host.
        attempt: how many were made, with the present one if it is under way.
        reason: why the last one failed.
    """

    number: int
    host: int
    priority: int
    attempt: int
    reason: str
    payload: bytes
