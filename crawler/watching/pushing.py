"""What hubs send, on its way into a watch; and how far a hub is relied on."""

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrapy import FormRequest
from scrapy.settings import BaseSettings
from twisted.internet.error import CannotListenError

from crawler.config.arguments import ArgumentError
from crawler.meta import HUB_KEY
from crawler.watching.listings import read_xml
from crawler.watching.watch import Watch
from crawler.watching.websub import Subscriptions

if TYPE_CHECKING:
    from crawler.watching.websub_listener import Listener

logger = logging.getLogger(__name__)
_ACCEPTED, _GONE = 202, 410


def check_websub(settings: BaseSettings) -> None:
    """ArgumentError for settings of WebSub that make no sense."""
    address, listen = settings["WATCH_WEBSUB_ADDRESS"] or "", settings["WATCH_WEBSUB_LISTEN"] or ""
    if address and not address.startswith(("http://", "https://")):
        raise ArgumentError(
            f"WATCH_WEBSUB_ADDRESS is where hubs reach this machine, like https://my.host/hooks/, not {address!r}."
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
        self._told: dict[str, int] = {}

    def listed(self, url: str, hub: str, topic: str) -> None:
        """A source was visited: which hub it names, and what the visit found that should have been pushed."""
        source, now = self._watch.sources.find(url), self._clock()
        if source is None:
            return
        if hub:
            self.subscriptions.see(url, hub, topic)
        if missed := source.first_told - self._told.get(url, source.first_told):
            self.subscriptions.count(url, now, missed=missed)
        self._told[url] = source.first_told

    def requests(self, parse: Callable[..., Any], errback: Callable[..., Any]) -> Iterator[FormRequest]:
        """To hubs, for subscriptions that are due; those of sites that are another node's are forgotten."""
        gone = [url for url in self._told if self._watch.sources.find(url) is None]
        self.subscriptions.forget(gone)
        for url in gone:
            del self._told[url]
        for found, form in self.subscriptions.due(self._clock()):
            meta = {HUB_KEY: found.token, "dont_obey_robotstxt": True}
            yield FormRequest(found.hub, parse, formdata=form, errback=errback, meta=meta, dont_filter=True)

    def weigh(self) -> None:
        """Visit what is pushed less often, and what is no more pushed as often as others."""
        for url in self._told:
            known, source = self.subscriptions.of(url), self._watch.sources.find(url)
            if known is not None and source is not None:
                self._watch.sources.push(source, known.belief(self._clock()))

    def verify(self, token: str, said: Mapping[str, str]) -> str | None:
        """See `Subscriptions.verify`."""
        return self.subscriptions.verify(token, said, self._clock())

    def deliver(self, token: str, body: bytes, signature: str) -> int:
        """Take in a hub's message; returns the status of the answer. One with a wrong signature gets the same as a right one."""
        if not self.subscriptions.knows(token):
            return _GONE
        now = self._clock()
        found = self.subscriptions.message(token, body, signature, now)
        source = None if found is None else self._watch.sources.find(found.source)
        listing = None if source is None else read_xml(body, source.url)
        if source is not None and listing is not None and source.state != "dropped":
            count = self._watch.pushed(source, listing, now)
            self.subscriptions.count(source.url, now, pushed=count)
            self._told[source.url] = source.first_told
        return _ACCEPTED

    def figures(self) -> dict[str, Any]:
        """Numbers for statistics."""
        return {"hubs": self.subscriptions.active(self._clock())}


def listen(address: str, pushes: Pushes | None) -> "Listener | None":
    """Take what hubs send to HOST:PORT; None where nothing is pushed, and, with a line in the log, where we cannot listen."""
    if pushes is None:
        return None
    from crawler.watching.websub_listener import Listener  # a watch without hubs needs no web server in its memory

    try:
        return Listener(address, pushes.verify, pushes.deliver)
    except (OSError, CannotListenError) as error:
        logger.error("Hubs cannot reach this node, so it visits feeds as it does lists: %s", error)
        return None
