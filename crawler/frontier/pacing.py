"""A site's own delay, concurrency and hours reach the frontier when its first request does."""

from crawler.config.sites import Sites
from crawler.frontier.base import Frontier, Politeness


class SitePaces:
    """Tells the frontier the pace of each host that has one of its own, once; those of an earlier run at the start."""

    def __init__(self, sites: Sites, usual: Politeness, frontier: Frontier) -> None:
        self._sites = sites
        self._usual = usual
        self._frontier = frontier
        self._kept: set[str] = set()
        if any(site.delay is not None or site.concurrency or site.hours for site in sites.all()):
            for account in frontier.hosts():
                self.keep(account.host)

    def keep(self, host: str) -> None:
        """Cheap for a host that is known."""
        if host in self._kept:
            return
        self._kept.add(host)
        pace = self._sites.pace(host, self._usual)
        if pace != self._usual:
            self._frontier.set_pace(host, pace)
