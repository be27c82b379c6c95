"""The YAML files in settings/sites and settings/engines."""

import os
import time
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from scrapy.settings import BaseSettings

from crawler.checks.finding import Finding
from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.engines.catalog import read_catalog


def sites(settings: BaseSettings) -> list[Finding]:
    """Whether each file can be used, and which sites' robots.txt is ignored, and why."""
    try:
        found = read_sites(settings)
    except DeclarationError as error:
        return [Finding("fault", "Sites", str(error), "Correct the file; docs/blocking.md explains each key.")]
    ignored = {host: site.robots.reason for host, site in found.named.items() if site.robots.policy == "ignore"}
    findings = [
        Finding("warning", "Robots", f"robots.txt of {host} is ignored: {reason}", "Take `robots` out to obey it.")
        for host, reason in ignored.items()
    ]
    message = f"{len(found.named)} sites have settings of their own"
    return [Finding("ok", "Sites", message), *findings, *_closed(found, time.time())]


def _closed(sites: Sites, now: float) -> Iterator[Finding]:
    """Sites outside their hours, and when these begin by the site's own clock."""
    for host, site in (("every other site", sites.default), *sites.named.items()):
        hours = site.opening_hours
        if hours is not None and (opens := hours.opens(now)) > now:
            until = f"{datetime.fromtimestamp(opens, ZoneInfo(site.zone)):%Y-%m-%d %H:%M} {site.zone}"
            yield Finding("ok", "Hours", f"{host} is outside its hours; its requests wait until {until}")


def engines(settings: BaseSettings) -> list[Finding]:
    """Whether each file can be used, and whether the engines that a run asks have their keys."""
    try:
        catalog = read_catalog(settings_folder(settings) / "engines")
        chosen = catalog.chosen((), settings.getlist("METASEARCH_ENGINES"))
    except DeclarationError as error:
        return [Finding("fault", "Engines", str(error), "Correct the file; settings/engines/example.yaml explains.")]
    missing = {
        name: [key for key in engine.about.needs if not os.environ.get(key)]
        for name, engine in chosen.items()
        if any(not os.environ.get(key) for key in engine.about.needs)
    }
    findings = [
        Finding("warning", "Engines", f"{name} needs {', '.join(keys)}", "Set it in the environment, or switch it off.")
        for name, keys in missing.items()
    ]
    return [Finding("ok", "Engines", f"a search asks {', '.join(chosen)}"), *findings]
