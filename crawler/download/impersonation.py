"""Which browser's TLS goes with which agent string."""

import re
from importlib.util import find_spec
from typing import Literal

from scrapy.settings import BaseSettings

from crawler.config.sites import Site, read_sites
from crawler.download.browsers import Platform, browsers

Family = Literal["chrome", "edge", "firefox", "safari"]
FAMILIES: tuple[Family, ...] = ("chrome", "edge", "firefox", "safari")
_PLATFORMS: tuple[Platform, ...] = ("desktop", "mobile", "any")
_AGENTS = (
    (re.compile(r"Firefox/"), "firefox"),
    (re.compile(r"Chrome/\S+ Mobile"), "chrome_android"),
    (re.compile(r"Chrome/"), "chrome"),  # Edge's TLS is Chrome's
    (re.compile(r"(?:iPhone|iPad).*Safari/"), "safari_ios"),
    (re.compile(r"Version/\S+ Safari/"), "safari"),
)


class ImpersonationError(ValueError):
    """A site's `impersonate` cannot be kept; the message says what to do."""


def target_of(agent: str) -> str:
    """The newest known TLS of the browser that an agent string names, in curl_cffi's words; "" if it names none."""
    return next((target for pattern, target in _AGENTS if pattern.search(agent)), "")


def check_impersonation(settings: BaseSettings) -> None:
    """ImpersonationError, with a sentence, for the first site whose `impersonate` cannot be kept."""
    sites = read_sites(settings)
    for host, site in (("default", sites.default), *sites.named.items()):
        if site.impersonate:
            _check(host, site)


def _check(host: str, site: Site) -> None:
    where = f"settings/sites/{host}.yaml: impersonate: {site.impersonate}"
    if find_spec("curl_cffi") is None or find_spec("scrapy_impersonate") is None:
        raise ImpersonationError(f"{where} needs an extra package: python -m pip install 'topicrawl[impersonate]'")
    if site.user_agent in _PLATFORMS:
        if not browsers(site.user_agent, site.impersonate):
            raise ImpersonationError(
                f"{where} and user_agent: {site.user_agent} go together in no browser that we know"
            )
    elif not target_of(site.user_agent):
        raise ImpersonationError(
            f"{where} needs user_agent: desktop, mobile, any, or a text that names a browser: TLS of a browser under "
            "another name is what gives a crawler away"
        )
