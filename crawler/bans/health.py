"""The state of sites and proxies during a crawl: one small file per crawl, without secrets, for other processes."""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scrapy.settings import BaseSettings

from crawler.config.crawl_names import file_stem

_MAX_AGE_SECONDS = 7 * 86_400.0


@dataclass(slots=True)
class SiteHealth:
    """Counts for one site or host since the crawl began."""

    answers: int = 0
    bans: int = 0
    challenges: int = 0
    logins: int = 0
    failed_logins: int = 0


@dataclass(slots=True)
class ProxyHealth:
    """The proxies of one list; `resting` counts those that failed and are backing off."""

    all: int
    alive: int
    resting: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Health:
    """The state of one crawl.

    Attributes:
        at: seconds since the epoch.
        sites: sites with their own settings file, and hosts that refuse requests.
        proxies: by list; a provider's list is named by its host.
        banned: host, identity, proxy, and the seconds left.
    """

    crawl: str
    at: float = 0.0
    sites: dict[str, SiteHealth] = field(default_factory=dict)
    proxies: dict[str, ProxyHealth] = field(default_factory=dict)
    banned: list[tuple[str, str, str, float]] = field(default_factory=list)


def write_health(folder: Path, health: Health) -> None:
    """Replace the file of the crawl. Raises OSError if the folder cannot be written."""
    path = _folder(folder) / f"{file_stem(health.crawl)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(asdict(health), ensure_ascii=False), encoding="utf-8")
    temporary.replace(path)


def read_health(folder: Path) -> Iterator[Health]:
    """The crawls of the last seven days, the newest first; unreadable files are skipped."""
    found = []
    for path in _folder(folder).glob("*.json"):
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            sites = {name: SiteHealth(**site) for name, site in stored["sites"].items()}
            proxies = {name: ProxyHealth(**each) for name, each in stored["proxies"].items()}
            banned = [(str(host), str(who), str(proxy), float(left)) for host, who, proxy, left in stored["banned"]]
            found.append(Health(str(stored["crawl"]), float(stored["at"]), sites, proxies, banned))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            continue
    now = time.time()
    yield from sorted((each for each in found if now - each.at < _MAX_AGE_SECONDS), key=lambda each: -each.at)


def standing_bans(settings: BaseSettings) -> Iterator[tuple[str, str, str, float]]:
    """Host, identity, proxy and end (in seconds since the epoch) of the bans on all nodes, and of those that crawls on this machine
    last reported. Raises IdentitiesUnavailableError if the nodes' Redis does not answer."""
    if settings["FRONTIER"] == "shared":
        from crawler.bans.shared import open_bans  # a crawl on one machine needs no Redis client

        yield from ((*visitor, time.time() + left) for visitor, left in open_bans(settings).exchange().items())
    for crawl in read_health(Path(settings["DATA_DIR"])):
        yield from ((*ban[:3], crawl.at + ban[3]) for ban in crawl.banned if crawl.at + ban[3] > time.time())


def _folder(data: Path) -> Path:
    return data / "health"
