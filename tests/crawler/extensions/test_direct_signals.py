"""Signals reach the same receivers with the same answers as Scrapy's own."""

import asyncio
import logging
from typing import Any

import pytest
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.signalmanager import SignalManager
from twisted.python.failure import Failure

from crawler.extensions.direct_signals import DirectSignals

WANTED = object()


class Receivers:
    """Every kind of receiver; each notes that it was called."""

    def __init__(self) -> None:
        self.called: list[object] = []

    def plain(self, item: object) -> str:
        self.called.append(item)
        return "plain"

    def bare(self) -> None:
        self.called.append("bare")

    async def waits(self, item: object, spider: object) -> object:
        await asyncio.sleep(0)
        self.called.append(spider)
        return item

    def fails(self) -> None:
        raise ValueError("a receiver's fault")

    async def fails_later(self) -> None:
        raise ValueError("a receiver's fault")

    def closes(self) -> None:
        raise CloseSpider("enough")


def _sent(manager: SignalManager, receivers: Receivers) -> list[tuple[str, object]]:
    for name in ("plain", "bare", "waits", "fails", "fails_later", "closes"):
        manager.connect(getattr(receivers, name), WANTED)
    named = {"item": 1, "spider": 2, "dont_log": CloseSpider}
    return [(each.__name__, _plain(said)) for each, said in asyncio.run(manager.send_catch_log_async(WANTED, **named))]


def _plain(said: Any) -> object:
    error = said.value if isinstance(said, Failure) else said
    return repr(error) if isinstance(error, Exception) else error


def test_whoever_listens_is_called_and_what_it_says_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    found = []
    for manager in (SignalManager(object()), DirectSignals(object())):
        caplog.clear()
        receivers = Receivers()
        said = _sent(manager, receivers)
        records = sorted(record.getMessage().split(" of ")[0] for record in caplog.records)
        found.append((sorted(said, key=str), sorted(receivers.called, key=str), records))
    assert found[0] == found[1]
    assert len(found[0][2]) == 2  # both faults, not the wish to close


@pytest.mark.parametrize("name", ["plain", "bare", "fails"])
def test_a_signal_that_cannot_wait_says_the_same(name: str, caplog: pytest.LogCaptureFixture) -> None:
    found = []
    for manager in (SignalManager(object()), DirectSignals(object())):
        receivers = Receivers()
        manager.connect(getattr(receivers, name), WANTED)
        said = [_plain(each) for _, each in manager.send_catch_log(WANTED, item=1, dont_log=DontCloseSpider)]
        found.append((said, receivers.called))
    assert found[0] == found[1]


def test_nobody_listens() -> None:
    manager, receivers = DirectSignals(object()), Receivers()
    assert manager.send_catch_log(WANTED, item=1) == []
    manager.connect(receivers.plain, WANTED)
    assert [said for _, said in manager.send_catch_log(WANTED, item=1)] == ["plain"]
    manager.disconnect(receivers.plain, WANTED)
    assert manager.send_catch_log(WANTED, item=1) == asyncio.run(manager.send_catch_log_async(WANTED, item=1)) == []


def test_who_connected_before_is_heard() -> None:
    crawler, receivers = Crawler(Spider), Receivers()
    crawler.signals.connect(receivers.bare, signals.spider_idle)
    assert DirectSignals.from_crawler(crawler) is crawler.signals
    crawler.signals.send_catch_log(signals.spider_idle)
    assert receivers.called == ["bare"]


def test_the_log_names_the_receiver(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    manager, receivers = DirectSignals(object()), Receivers()
    manager.connect(receivers.fails, WANTED)
    asyncio.run(manager.send_catch_log_async(WANTED))
    assert "Receivers.fails" in caplog.text
    assert "a receiver's fault" in caplog.text
