"""Errors of Redis that pass are told from those that stay, in the words of every server version."""

import pytest
from redis.exceptions import OutOfMemoryError, RedisError, ResponseError

from pipelines.redis_client import may_pass

FULL = "command not allowed when used memory > 'maxmemory'."


@pytest.mark.parametrize(
    "error",
    [
        OutOfMemoryError(FULL),
        ResponseError(f"OOM {FULL} script: 5d0c, on @user_script:31."),
        ResponseError(f"Error running script (call to f_5d0c): @user_script:31: @user_script: 31: -OOM {FULL}"),
        ResponseError(
            "Error running script (call to f_5d0c): @user_script:9: -READONLY You can't write against a replica."
        ),
        ResponseError(f"Command # 2 (EVALSHA 5d0c 1 crawl) of pipeline caused error: OOM {FULL}"),
        ResponseError("LOADING Redis is loading the dataset in memory"),
        ResponseError("BUSY Redis is busy running a script."),
        ResponseError("MISCONF Redis is configured to save RDB snapshots, but it cannot persist on disk."),
    ],
)
def test_errors_that_pass(error: RedisError) -> None:
    assert may_pass(error)


@pytest.mark.parametrize(
    "text",
    [
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "Error running script (call to f_5d0c): @user_script:31: user_script:31: attempt to index a nil value",
        "unknown key http://some.site/ZOOM-OOM",
    ],
)
def test_errors_that_stay(text: str) -> None:
    assert not may_pass(ResponseError(text))
