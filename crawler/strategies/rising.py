"""Hosts with rising yield, and which of their queued links get a higher priority."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from extractors.links.urls import host_of

_YIELD_STEP = 0.1
"""Rise of a host's yield that rescores its queued links."""
_MAX_WAITING_LINKS = 200
"""The latest links of a host that are rescored."""
_MAX_HOSTS = 2_000


@dataclass(slots=True)
class _HostLinks:
    """A host's latest links, and its yield when they were last scored."""

    waiting: deque[str] = field(default_factory=lambda: deque(maxlen=_MAX_WAITING_LINKS))
    scored_at: float | None = None


class RisingHosts:
    """The latest links of each host, which are rescored when its yield has risen.

    A host's links are rescored once per step of its yield, so that this costs a few scores per page.
    """

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _HostLinks] = OrderedDict()

    def found(self, urls: Iterable[str]) -> None:
        """Note links that were queued or got a higher priority."""
        for host, own in groupby(urls, host_of):
            self._host(host).waiting.extend(own)

    def risen(self, host: str, share: float, mean: float) -> Sequence[str]:
        """The host's links to rescore, the latest first, given the relevant share of its pages; none if that share is not
        well above its value at the last scoring, initially the mean of all pages."""
        known = self._host(host)
        before = mean if known.scored_at is None else known.scored_at
        if share < before + _YIELD_STEP:
            known.scored_at = max(mean, min(before, share))
            return ()
        known.scored_at = share
        return list(dict.fromkeys(reversed(known.waiting)))

    def _host(self, name: str) -> _HostLinks:
        if (known := self._hosts.get(name)) is None:
            known = self._hosts[name] = _HostLinks()
            if len(self._hosts) > _MAX_HOSTS:
                self._hosts.popitem(last=False)
        else:
            self._hosts.move_to_end(name)
        return known
