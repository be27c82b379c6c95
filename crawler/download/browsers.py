"""The browser that a visitor claims to be, constant per visitor, and the matching TLS fingerprint."""

import json
import re
from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from importlib.util import find_spec
from itertools import accumulate
from typing import Literal

from scrapy.settings import BaseSettings

from crawler.config.sites import SiteSettings, read_sites

Platform = Literal["desktop", "mobile", "any"]
_PLATFORMS: tuple[Platform, ...] = ("desktop", "mobile", "any")
_AGENTS = (
    (re.compile(r"Firefox/"), "firefox"),
    (re.compile(r"Chrome/\S+ Mobile"), "chrome_android"),
    (re.compile(r"Chrome/"), "chrome"),  # also Edge, with the same TLS
    (re.compile(r"(?:iPhone|iPad).*Safari/"), "safari_ios"),
    (re.compile(r"Version/\S+ Safari/"), "safari"),
)


class ImpersonationError(ValueError):
    """A site's `impersonate` cannot be used; the message has the remedy."""


@dataclass(frozen=True, slots=True)
class Browser:
    """The User-Agent of a browser, its share of users, and its client hints."""

    name: str
    platform: str
    share: float
    agent: str
    hints: dict[str, str]


@lru_cache(maxsize=32)
def browsers(platform: Platform, family: str = "") -> tuple[Browser, ...]:
    """The browsers in browsers.json of a platform, and of a family if one is given."""
    text = (files(__package__) / "browsers.json").read_text(encoding="utf-8")
    known = [Browser(**entry) for entry in json.loads(text)["browsers"]]
    fitting = [browser for browser in known if platform in ("any", browser.platform)]
    return tuple(browser for browser in fitting if browser.name.lower().startswith(family))


@lru_cache(maxsize=20_000)
def browser_of(visitor: str, platform: Platform, family: str = "") -> Browser:
    known = browsers(platform, family)
    bounds = list(accumulate(browser.share for browser in known))
    point = int.from_bytes(blake2b(visitor.encode(), digest_size=8).digest(), "big") / 2**64 * bounds[-1]
    return known[min(bisect(bounds, point), len(known) - 1)]


def target_of(agent: str) -> str:
    """curl_cffi's name of the newest TLS fingerprint of the browser in a User-Agent; "" for other agents."""
    return next((target for pattern, target in _AGENTS if pattern.search(agent)), "")


def check_impersonation(settings: BaseSettings) -> None:
    """Raises ImpersonationError for the first site whose `impersonate` cannot be used."""
    sites = read_sites(settings)
    for host, site in (("default", sites.default), *sites.named.items()):
        if site.impersonate:
            _check(host, site)


def _check(host: str, site: SiteSettings) -> None:
    where = f"settings/sites/{host}.yaml: impersonate: {site.impersonate}"
    if find_spec("curl_cffi") is None or find_spec("scrapy_impersonate") is None:
        raise ImpersonationError(f"{where} needs an extra package: python -m pip install 'topicrawl[impersonate]'")
    if site.user_agent in _PLATFORMS:
        if not browsers(site.user_agent, site.impersonate):
            raise ImpersonationError(f"{where} and user_agent: {site.user_agent} do not match in any known browser")
    elif not target_of(site.user_agent):
        raise ImpersonationError(
            f"{where} needs user_agent: desktop, mobile, any, or a text that names a browser, since the TLS of a browser "
            "with another name reveals a crawler"
        )
