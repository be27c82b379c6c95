"""Which browser a visitor claims to be: weighted by share, always the same for the same visitor."""

import json
from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from itertools import accumulate
from typing import Literal

Platform = Literal["desktop", "mobile", "any"]


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser's agent string, and the client hints that it sends beside it."""

    name: str
    platform: str
    share: float
    agent: str
    hints: dict[str, str]


@lru_cache(maxsize=8)
def browsers(platform: Platform) -> tuple[Browser, ...]:
    """Those of the platform, from browsers.json."""
    text = (files("crawler.browsers") / "browsers.json").read_text(encoding="utf-8")
    known = [Browser(**entry) for entry in json.loads(text)["browsers"]]
    return tuple(browser for browser in known if platform in ("any", browser.platform))


@lru_cache(maxsize=20_000)
def browser_of(visitor: str, platform: Platform) -> Browser:
    """The visitor's browser."""
    known = browsers(platform)
    bounds = list(accumulate(browser.share for browser in known))
    point = int.from_bytes(blake2b(visitor.encode(), digest_size=8).digest(), "big") / 2**64 * bounds[-1]
    return known[min(bisect(bounds, point), len(known) - 1)]
