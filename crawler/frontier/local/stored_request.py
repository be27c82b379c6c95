"""A request in any table of the embedded frontier's file."""

from typing import NamedTuple

COLUMNS = "id, host, priority, attempt, reason, payload"
"""Columns of the three tables with requests, in the order of `StoredRequest`."""


class StoredRequest(NamedTuple):
    """The fields of a request in every state.

    Attributes:
        number: within a priority, the smaller one comes first.
        host: the number of its host.
        attempt: number of attempts, including one under way.
        reason: why the last one failed.
    """

    number: int
    host: int
    priority: int
    attempt: int
    reason: str
    payload: bytes
