"""Signals sent the short way: a page sends sixteen."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self

from pydispatch.dispatcher import Any as AnySender
from pydispatch.dispatcher import getAllReceivers, getReceivers, liveReceivers
from pydispatch.robustapply import robustApply
from scrapy.crawler import Crawler
from scrapy.signalmanager import SignalManager
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.python import global_object_name
from twisted.internet.defer import Deferred

logger = logging.getLogger(__name__)
Receiver = Callable[..., Any]
Errors = tuple[type[BaseException], ...]


class DirectSignals(SignalManager):
    """Scrapy's own looks for receivers of a signal that has none, and makes a task for each receiver of an item.

    What receivers are given, what is returned and what is logged is the same.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Takes the place of Scrapy's own before anything keeps that."""
        made = cls(crawler.signals.sender)
        crawler.signals = made
        return made

    def send_catch_log(self, signal: Any, **named: Any) -> list[tuple[Any, Any]]:
        return super().send_catch_log(signal, **named) if self._is_heard(signal, named) else []

    async def send_catch_log_async(self, signal: Any, **named: Any) -> list[tuple[Any, Any]]:
        """Receivers that need not wait are called at once, the others wait side by side."""
        if not self._is_heard(signal, named):
            return []
        quiet = named.pop("dont_log", ())
        errors = tuple(quiet) if isinstance(quiet, Sequence) else (quiet,)
        sender = named.pop("sender", self.sender)
        receivers = list(liveReceivers(getAllReceivers(sender, signal)))
        said = [_called(each, errors, named | {"signal": signal, "sender": sender}) for each in receivers]
        later = {at: each for at, each in enumerate(said) if isinstance(each, Awaitable | Deferred)}
        if later:
            waited = (_waited(receivers[at], each, errors, named) for at, each in later.items())
            for at, each in zip(later, await asyncio.gather(*waited), strict=True):
                said[at] = each
        return list(zip(receivers, said, strict=True))

    def _is_heard(self, signal: Any, named: dict[str, Any]) -> bool:
        senders = (named.get("sender", self.sender), AnySender)
        return any(getReceivers(sender, each) for sender in senders for each in (signal, AnySender))


def _called(receiver: Receiver, quiet: Errors, named: dict[str, Any]) -> Any:
    """What a receiver returns, or its error, which is logged if it is none of the quiet ones."""
    try:
        return robustApply(receiver, **named)
    except quiet as error:
        return error
    except Exception as error:
        _log(receiver, named)
        return error


async def _waited(receiver: Receiver, answer: Any, quiet: Errors, named: dict[str, Any]) -> Any:
    """The same for one that waits."""
    try:
        return await ensure_awaitable(answer, _warn=global_object_name(receiver))
    except quiet as error:
        return error
    except Exception as error:
        _log(receiver, named)
        return error


def _log(receiver: Receiver, named: dict[str, Any]) -> None:
    said = "Error caught on signal handler: %(receiver)s"
    logger.error(said, {"receiver": receiver}, exc_info=True, extra={"spider": named.get("spider")})
