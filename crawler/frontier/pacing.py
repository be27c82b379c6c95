"""The pace of hosts: the default of the settings, overridden by the delay, concurrency and hours of their site."""

from scrapy.settings import BaseSettings

from crawler.config.hours import Politeness
from crawler.config.sites import Sites
from crawler.frontier.base import Frontier


def host_pace(settings: BaseSettings) -> Politeness:
    """The default pace of hosts."""
    return Politeness(settings.getfloat("FRONTIER_HOST_DELAY"), settings.getint("FRONTIER_HOST_CONCURRENCY"))


class SitePaces:
    """Sets a host's own pace when its first request is queued, or at the start for hosts of an earlier run."""

    def __init__(self, sites: Sites, common: Politeness, frontier: Frontier) -> None:
        self._sites = sites
        self._common = common
        self._frontier = frontier
        self._done: set[str] = set()
        if any(site.delay is not None or site.concurrency or site.hours for site in sites.all()):
            for account in frontier.hosts():
                self.set(account.host)

    def set(self, host: str) -> None:
        """Set the pace of a host; cheap if it was set before."""
        if host in self._done:
            return
        self._done.add(host)
        pace = self._sites.pace(host, self._common)
        if pace != self._common:
            self._frontier.set_pace(host, pace)
