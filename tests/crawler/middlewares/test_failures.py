"""What is said of a request that had no answer."""

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadConnectionRefusedError
from scrapy.utils.test import get_crawler

from crawler.middlewares.failures import FailureMiddleware, NoAnswerError


def said(**meta: str) -> str:
    middleware = FailureMiddleware.from_crawler(get_crawler())
    with pytest.raises(NoAnswerError) as raised:
        middleware.process_exception(
            Request("http://some.example/", meta=dict(meta)), DownloadConnectionRefusedError("Connection was refused")
        )
    return str(raised.value)


def test_a_proxy_is_named_as_it_may_be_what_did_not_answer() -> None:
    assert said() == "DownloadConnectionRefusedError: Connection was refused"
    assert said(proxy="http://name:secret@127.0.0.1:8118").endswith("refused (through the proxy 127.0.0.1:8118)")
