"""Crawls of sites behind a log-in, and whether they leave a secret anywhere."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import redis
import zstandard

from crawler.frontier.requests import unpack
from testbed.crawling import Crawl
from testbed.login_sites import PASSWORD, USERNAME, LoginWeb

SITES = {
    "pages.example": "identities: [reader]\nlogin:\n  page: http://pages.example/login\n",
    "library.example": "identities: [reader]\nlogin:\n  hosts: [sso.campus.example]\n",
}
_KEPT_IN = "identities.db"
"""Where sessions may stand, on one machine."""
_SHARED_OUT = {"FRONTIER_HOST_CONCURRENCY": 16, "CONCURRENT_REQUESTS": 8}
"""No node alone can take all that two hosts may be asked at once."""
_KEYS = b"{identities}"
"""Of the hashes where they may stand in Redis."""


def crawl_of(folder: Path, web: LoginWeb, **settings: object) -> Crawl:
    """A crawl of both sites, as one who may log in; it tells all that it ever tells."""
    (folder / "sites").mkdir(exist_ok=True)
    for host, text in SITES.items():
        (folder / "sites" / f"{host}.yaml").write_text(text)
    base = {"TOPICRAWL_SETTINGS_DIR": folder, "FRONTIER_HOST_DELAY": 0, "TITLES_ENABLED": False, "LOG_LEVEL": "DEBUG"}
    crawl = Crawl(folder / "data", [f"http://{host}/" for host in SITES], settings=base | settings)
    crawl.environment = {
        "http_proxy": web.address,
        "LOGIN_USERNAME_READER": USERNAME,
        "LOGIN_PASSWORD_READER": PASSWORD,
    }
    return crawl


def run_nodes(folder: Path, web: LoginWeb, address: str, nodes: int = 2) -> list[Crawl]:
    """The given number of nodes crawl both sites together over this Redis, each with a database of its own."""
    crawls = []
    for number in range(nodes):
        crawl = crawl_of(folder, web, REDIS_URL=address, METRICS_PORT=0, **_SHARED_OUT)
        crawl.folder = folder / f"node{number}"
        crawl.environment = dict(crawl.environment) | {"SCRAPY_PROJECT": "cluster"}
        crawls.append(crawl)
    processes = [crawl.start() for crawl in crawls]
    for crawl, process in zip(crawls, processes, strict=True):
        crawl.wait(process, 600)
    return crawls


def keys_with_secrets(address: str, web: LoginWeb) -> Iterator[str]:
    """Keys of the Redis that hold a secret, other than sessions where identities are kept."""
    with redis.Redis.from_url(address) as client:
        for key in client.scan_iter(count=1000):
            secrets = _lasting() if key.startswith(_KEYS) else _lasting() | _passing(web)
            content = b" ".join(_plain(client, key))
            if any(secret in content for secret in secrets):
                yield key.decode()


def _plain(client: "redis.Redis", key: bytes) -> Iterator[bytes]:
    """Everything that the key holds, requests unpacked."""
    kind = client.type(key)
    found: Any = {
        b"hash": lambda: [part for pair in client.hgetall(key).items() for part in pair],
        b"string": lambda: [client.get(key)],
        b"set": lambda: client.smembers(key),
        b"zset": lambda: client.zrange(key, 0, -1),
        b"list": lambda: client.lrange(key, 0, -1),
    }[kind]()
    for value in found:
        yield value
        with contextlib.suppress(ValueError, zstandard.ZstdError):
            yield repr(unpack(value)).encode()


def _lasting() -> set[bytes]:
    return {USERNAME.encode(), PASSWORD.encode(), quote(PASSWORD).encode(), quote_plus(PASSWORD).encode()}


def _passing(web: LoginWeb) -> set[bytes]:
    return {name.encode() for site in (web.by_form, web.by_sign_on) for name in site.secrets}


def leaks(folder: Path, web: LoginWeb) -> Iterator[str]:
    """Files below the folder that hold a password, a session or a ticket; sessions may stand where identities are kept."""
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            secrets = _lasting() if path.name.startswith(_KEPT_IN) else _lasting() | _passing(web)
            if any(secret in content for secret in secrets):
                yield path.name
