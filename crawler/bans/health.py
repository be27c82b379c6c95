"""How a crawl fares with its sites, for those who look from outside: one small file a crawl, without any secret."""

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

_MOST_AGE = 7 * 86_400.0


@dataclass(slots=True)
class SiteHealth:
    """Numbers of one site or host since the crawl began."""

    answers: int = 0
    bans: int = 0
    challenges: int = 0
    logins: int = 0
    failed_logins: int = 0


@dataclass(slots=True)
class ProxyHealth:
    """Of one list; a provider's is named by its host."""

    all: int
    alive: int
    resting: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Health:
    """Of one crawl.

    Attributes:
        at: seconds since the epoch.
        sites: those that have a file of their own, and those that refuse.
        banned: host, identity and proxy with the seconds that were left.
    """

    crawl: str
    at: float = 0.0
    sites: dict[str, SiteHealth] = field(default_factory=dict)
    proxies: dict[str, ProxyHealth] = field(default_factory=dict)
    banned: list[tuple[str, str, str, float]] = field(default_factory=list)


def write_health(folder: Path, health: Health) -> None:
    """Replace what the crawl told before. OSError if the folder cannot be written."""
    path = _folder(folder) / f"{re.sub(r'[^0-9A-Za-z._-]', '_', health.crawl)[:100]}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(asdict(health), ensure_ascii=False), encoding="utf-8")
    beside.replace(path)


def read_health(folder: Path) -> Iterator[Health]:
    """Of the crawls of the last seven days, the newest first; what cannot be read is passed over."""
    found = []
    for path in _folder(folder).glob("*.json"):
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            sites = {name: SiteHealth(**site) for name, site in told["sites"].items()}
            proxies = {name: ProxyHealth(**each) for name, each in told["proxies"].items()}
            banned = [(str(host), str(who), str(proxy), float(left)) for host, who, proxy, left in told["banned"]]
            found.append(Health(str(told["crawl"]), float(told["at"]), sites, proxies, banned))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            continue
    now = time.time()
    yield from sorted((each for each in found if now - each.at < _MOST_AGE), key=lambda each: -each.at)


def _folder(data: Path) -> Path:
    return data / "health"
