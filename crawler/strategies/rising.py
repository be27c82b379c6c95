"""Hosts that begin to give: which of their waiting links move up."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from extractors.links.urls import host_of

_STEP = 0.1
"""How much a host's yield must rise before its waiting links are scored anew."""
_MAX_WAITING = 200
"""Links of a host, the latest, that are scored anew."""
_MAX_HOSTS = 2_000


@dataclass(slots=True)
class _HostLinks:
    """A host's latest links, and its yield when they were scored last."""

    waiting: deque[str] = field(default_factory=lambda: deque(maxlen=_MAX_WAITING))
    scored_at: float | None = None


class RisingHosts:
    """The latest links of each host, which are scored anew when its yield has risen.

    Each step of the yield lets a host's links be scored once, so that this costs a few scores for each page.
    """

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _HostLinks] = OrderedDict()

    def found(self, urls: Iterable[str]) -> None:
        """Links were queued, or moved up."""
        for host, own in groupby(urls, host_of):
            self._host(host).waiting.extend(own)

    def risen(self, host: str, share: float, mean: float) -> Sequence[str]:
        """Its links that are to be scored anew, the latest first, now that this share of its pages is relevant; none if that
        is not much more than when they were scored last, or than the mean of all pages at first."""
        known = self._host(host)
        before = mean if known.scored_at is None else known.scored_at
        if share < before + _STEP:
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
