"""Passes messages of WebSub hubs to a watch, and adapts its visits to the reliability of hubs."""

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrapy import FormRequest
from scrapy.settings import BaseSettings
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.error import CannotListenError

from crawler.config.arguments import ArgumentError
from crawler.meta import HUB_KEY
from crawler.watching.listings import read_feed_listing
from crawler.watching.watch import Watch
from crawler.watching.websub import Subscriptions

if TYPE_CHECKING:
    from crawler.watching.websub_listener import Listener

logger = logging.getLogger(__name__)
_ACCEPTED, _GONE = 202, 410


def check_websub(settings: BaseSettings) -> None:
    """Raises ArgumentError for invalid settings of WebSub."""
    address, listen = settings["WATCH_WEBSUB_ADDRESS"] or "", settings["WATCH_WEBSUB_LISTEN"] or ""
    if address and not address.startswith(("http://", "https://")):
        raise ArgumentError(
            f"WATCH_WEBSUB_ADDRESS must be the address at which hubs reach this machine, like https://my.host/hooks/, not {address!r}."
        )
    if address and not (":" in listen and listen.rpartition(":")[2].isdecimal()):
        raise ArgumentError(f"WATCH_WEBSUB_LISTEN must be HOST:PORT, like 127.0.0.1:8470, not {listen!r}.")


class Pushes:
    """The hubs of a watch.

    Args:
        address: see `Subscriptions`.
        clock: of the watch.
    """

    def __init__(self, address: str, watch: Watch, clock: Callable[[], float]) -> None:
        self.subscriptions = Subscriptions(address)
        self._watch, self._clock = watch, clock
        self._first_seen: dict[str, int] = {}
        self._listener: Listener | None = None

    def listen(self, address: str) -> bool:
        """Start to listen at HOST:PORT; False, with a log message, if that fails."""
        from crawler.watching.websub_listener import Listener  # a watch without hubs does not load the web server

        try:
            self._listener = Listener(address, self.verify, self.deliver)
        except (OSError, CannotListenError) as error:
            logger.error("Hubs cannot reach this machine, so feeds are visited like lists: %s", error)
        return self._listener is not None

    async def close(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            await maybe_deferred_to_future(self._listener.close())

    def listed(self, url: str, hub: str, topic: str) -> None:
        """Note a visit: the hub that the source names, and found items that should have been pushed."""
        source, now = self._watch.sources.find(url), self._clock()
        if source is None:
            return
        if hub:
            self.subscriptions.see(url, hub, topic)
        if missed := source.items_first_seen_here - self._first_seen.get(url, source.items_first_seen_here):
            self.subscriptions.count(url, now, missed=missed)
        self._first_seen[url] = source.items_first_seen_here

    def requests(self, parse: Callable[..., Any], errback: Callable[..., Any]) -> Iterator[FormRequest]:
        """Requests to hubs for due subscriptions."""
        for found, form in self.subscriptions.due(self._clock()):
            meta = {HUB_KEY: found.token, "dont_obey_robotstxt": True}
            yield FormRequest(found.hub, parse, formdata=form, errback=errback, meta=meta, dont_filter=True)

    def weigh(self) -> None:
        """Visit pushed sources less often, and others at the normal rate."""
        for url in self._first_seen:
            known, source = self.subscriptions.of(url), self._watch.sources.find(url)
            if known is not None and source is not None:
                self._watch.sources.push(source, known.belief(self._clock()))

    def verify(self, token: str, said: Mapping[str, str]) -> str | None:
        """See `Subscriptions.verify`."""
        return self.subscriptions.verify(token, said, self._clock())

    def deliver(self, token: str, body: bytes, signature: str) -> int:
        """Process a hub's message; returns the status of the answer, which is the same for a wrong signature."""
        if not self.subscriptions.knows(token):
            return _GONE
        now = self._clock()
        found = self.subscriptions.message(token, body, signature, now)
        source = None if found is None else self._watch.sources.find(found.source)
        listing = None if source is None else read_feed_listing(body, source.url)
        if source is not None and listing is not None and source.state != "dropped":
            count = self._watch.pushed(source, listing, now)
            self.subscriptions.count(source.url, now, pushed=count)
            self._first_seen[source.url] = source.items_first_seen_here
        return _ACCEPTED


def open_pushes(settings: BaseSettings, watch: Watch, clock: Callable[[], float]) -> Pushes | None:
    """The hubs of a watch; None without WATCH_WEBSUB_ADDRESS, or if we cannot listen."""
    if not (address := settings["WATCH_WEBSUB_ADDRESS"]):
        return None
    pushes = Pushes(address, watch, clock)
    return pushes if pushes.listen(settings["WATCH_WEBSUB_LISTEN"]) else None
