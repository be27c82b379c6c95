"""Which errors of Redis pass by themselves, or when an operator acts: waiting loses nothing, giving up does."""

import re

from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ClusterError,
    ConnectionError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    TimeoutError,
    TryAgainError,
)

_PASSING_ERRORS = (
    *(ConnectionError, TimeoutError, BusyLoadingError, ReadOnlyError, MasterDownError, OutOfMemoryError),
    *(ClusterDownError, ClusterError, TryAgainError),
)
_PASSING_CODE = re.compile(
    r"(?:^|\s-)(?:OOM|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|UNBLOCKED|MISCONF|BUSY)\b"
)
"""An error's code comes first. Before Redis 7, the error of a command in a script follows "Error running script …: -"."""


def may_pass(error: RedisError) -> bool:
    return isinstance(error, _PASSING_ERRORS) or _PASSING_CODE.search(str(error)) is not None
