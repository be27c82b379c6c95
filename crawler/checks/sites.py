"""The files in settings/sites."""

import time
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from scrapy.settings import BaseSettings

from crawler.checks.base import Finding
from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import DeclarationError


def sites(settings: BaseSettings) -> list[Finding]:
    """Whether each file can be used, and which sites' robots.txt is ignored, and why."""
    try:
        found = read_sites(settings)
    except DeclarationError as error:
        return [Finding("fault", "Sites", str(error), "Put the file right; docs/blocking.md explains each key.")]
    ignored = {host: site.robots.reason for host, site in found.named.items() if site.robots.policy == "ignore"}
    findings = [
        Finding("warning", "Robots", f"robots.txt of {host} is ignored: {reason}", "Take `robots` out to obey it.")
        for host, reason in ignored.items()
    ]
    said = f"{len(found.named)} sites have settings of their own"
    return [Finding("ok", "Sites", said), *findings, *_asleep(found, time.time())]


def _asleep(sites: Sites, now: float) -> Iterator[Finding]:
    """Who must not be asked just now, and until when by his own clock."""
    for host, site in (("every other site", sites.default), *sites.named.items()):
        hours = site.asked_in
        if hours is not None and (opens := hours.opens(now)) > now:
            until = f"{datetime.fromtimestamp(opens, ZoneInfo(site.zone)):%Y-%m-%d %H:%M} {site.zone}"
            yield Finding("ok", "Hours", f"{host} is outside its hours; its requests wait until {until}")
