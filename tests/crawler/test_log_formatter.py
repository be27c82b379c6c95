"""What belongs to a log-in leaves no line in the log, also when it fails; a store that fails leaves no traceback a page."""

import logging
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler.extensions.logs import CrawlLogFormatter
from crawler.meta import LOGIN_KEY
from crawler.middlewares.failures import FailureMiddleware, NoAnswerError
from pipelines.stores.base import StoreAwayError, StoreError

_URL = "https://sso.example/in?ticket=GEHEIM"


def test_neither_an_answer_nor_a_failure_tells_the_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ours, other = Request(_URL, meta={LOGIN_KEY: "some.example"}), Request("https://some.example/")
    formatter = CrawlLogFormatter()
    assert formatter.crawled(ours, Response(_URL), Spider("x")) is None
    assert formatter.crawled(other, Response(other.url), Spider("x")) is not None
    failures = FailureMiddleware(cast(Any, SimpleNamespace(stats=None)), 1.0, 2.0)
    with pytest.raises(NoAnswerError) as raised:
        failures.process_exception(ours, DownloadTimeoutError(f"Getting {_URL} took longer than 1 seconds."))
    assert "GEHEIM" not in caplog.text + str(raised.value)
    with pytest.raises(NoAnswerError):
        failures.process_exception(other, DownloadTimeoutError("late"))
    assert "some.example" in caplog.text


def test_a_store_that_is_away_is_no_error_of_each_page() -> None:
    formatter, response = CrawlLogFormatter(), Response("https://some.example/")
    for error, level in ((StoreAwayError("full"), logging.DEBUG), (StoreError("a page's fault"), logging.ERROR)):
        assert formatter.item_error({}, error, response, Spider("x"))["level"] == level
        assert formatter.spider_error(Failure(error), Request(response.url), response, Spider("x"))["level"] == level


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
def test_the_lines_of_pages_are_made_if_somebody_reads_them(level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = logging.StreamHandler()
    handler.setLevel(level)
    for name in ("", "scrapy", "scrapy.core"):
        monkeypatch.setattr(logging.getLogger(name), "handlers", [handler] if name == "scrapy" else [])
    request, response = Request("https://some.example/"), Response("https://some.example/")
    formatter = CrawlLogFormatter()
    made = (formatter.crawled(request, response, Spider("x")), formatter.scraped({}, response, Spider("x")))
    assert [line is not None for line in made] == [level == logging.DEBUG] * 2
