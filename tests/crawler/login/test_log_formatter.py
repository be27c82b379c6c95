"""What belongs to a log-in leaves no line in the log, also when it fails: its addresses may hold tickets."""

import logging
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response

from crawler.extensions.logs import LoginLogFormatter
from crawler.meta import LOGIN_KEY
from crawler.middlewares.failures import FailureMiddleware, NoAnswerError

_URL = "https://sso.example/in?ticket=GEHEIM"


def test_neither_an_answer_nor_a_failure_tells_the_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ours, other = Request(_URL, meta={LOGIN_KEY: "some.example"}), Request("https://some.example/")
    formatter = LoginLogFormatter()
    assert formatter.crawled(ours, Response(_URL), Spider("x")) is None
    assert formatter.crawled(other, Response(other.url), Spider("x")) is not None
    failures = FailureMiddleware(cast(Any, SimpleNamespace(stats=None)), 1.0, 2.0)
    with pytest.raises(NoAnswerError) as raised:
        failures.process_exception(ours, DownloadTimeoutError(f"Getting {_URL} took longer than 1 seconds."))
    assert "GEHEIM" not in caplog.text + str(raised.value)
    with pytest.raises(NoAnswerError):
        failures.process_exception(other, DownloadTimeoutError("late"))
    assert "some.example" in caplog.text
