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


@lru_cache(maxsize=32)
def browsers(platform: Platform, family: str = "") -> tuple[Browser, ...]:
    """Those of the platform, and of the family (chrome, edge, firefox, safari) if one is given, from browsers.json."""
    text = (files(__package__) / "browsers.json").read_text(encoding="utf-8")
    known = [Browser(**entry) for entry in json.loads(text)["browsers"]]
    fitting = [browser for browser in known if platform in ("any", browser.platform)]
    return tuple(browser for browser in fitting if browser.name.lower().startswith(family))


@lru_cache(maxsize=20_000)
def browser_of(visitor: str, platform: Platform, family: str = "") -> Browser:
    """The visitor's browser."""
    known = browsers(platform, family)
    bounds = list(accumulate(browser.share for browser in known))
    point = int.from_bytes(blake2b(visitor.encode(), digest_size=8).digest(), "big") / 2**64 * bounds[-1]
    return known[min(bisect(bounds, point), len(known) - 1)]
