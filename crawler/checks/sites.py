"""The files in settings/sites."""

from scrapy.settings import BaseSettings

from crawler.checks.base import Finding
from crawler.declarations import DeclarationError
from crawler.sites import read_sites


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
    return [Finding("ok", "Sites", f"{len(found.named)} sites have settings of their own"), *findings]
