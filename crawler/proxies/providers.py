"""Lists of proxies that a provider serves: fetched as text or JSON, and fetched again from time to time."""

import json
import os
import re
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from crawler.proxies.pool import Proxy, ProxyError, read_proxies, with_environment

_SECONDS = 20.0
_MOST_BYTES = 5_000_000
_MOST_PROXIES = 20_000
_HOSTS, _PORTS, _SCHEMES = ("ip", "host", "server", "addr"), ("port",), ("protocol", "scheme", "type")
_BARE = re.compile(r"(?:(\w+)://)?([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})", re.I)


def is_provider(source: str) -> bool:
    """Whether the list's name is an address to be asked, and no file."""
    return source.startswith(("http://", "https://"))


def fetch_proxies(source: str) -> list[Proxy]:
    """The provider's list as it is now; blocks for up to twenty seconds.

    An address may hold ${NAME} from the environment, and a kind of proxy for lines without one behind a #
    (https://provider.example/list?key=${KEY}#socks5). Proxies without a name and password get those in the
    environment's PROXY_USERNAME and PROXY_PASSWORD. Raises ProxyError, which names the host only.
    """
    address = with_environment(source, f"the provider {urlsplit(source).hostname}")
    url, _, kind = address.partition("#")
    lines = list(_lines(_fetched(url), kind or "http"))[:_MOST_PROXIES]
    return read_proxies("\n".join(lines), f"the provider {urlsplit(url).hostname}")


def _fetched(url: str) -> str:
    host = urlsplit(url).hostname
    try:
        with urlopen(Request(url, headers={"User-Agent": "topicrawl"}), timeout=_SECONDS) as answer:
            body: bytes = answer.read(_MOST_BYTES + 1)
    except HTTPError as error:
        error.close()
        raise ProxyError(f"The provider {host} gives no list of proxies: HTTP {error.code}") from None
    except (OSError, ValueError) as error:  # the error's own words may hold the address, and so the key
        said = error.reason if isinstance(error, URLError) else type(error).__name__
        raise ProxyError(f"The provider {host} gives no list of proxies: {said}") from None
    if len(body) > _MOST_BYTES:
        raise ProxyError(f"The provider {host} gives more than {_MOST_BYTES:,} bytes: that is no list of proxies")
    return body.decode("utf-8", "replace")


def _lines(text: str, kind: str) -> Iterator[str]:
    """Addresses as a list's file has them."""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            found = list(_of_json(json.loads(text)))
        except (ValueError, RecursionError):
            raise ProxyError("The provider's list of proxies is broken JSON") from None
    else:
        found = text.split()
    for address in found:
        if "@" in address or not (bare := _BARE.fullmatch(address.strip().rstrip("/"))):
            yield address
        else:
            yield f"{(bare[1] or kind).lower()}://{_credentials()}{bare[2]}:{bare[3]}"


def _credentials() -> str:
    name, password = os.environ.get("PROXY_USERNAME", ""), os.environ.get("PROXY_PASSWORD", "")
    return f"{quote(name, safe='')}:{quote(password, safe='')}@" if name else ""


def _of_json(value: Any, depth: int = 0) -> Iterator[str]:
    """Texts, and objects with a host and a port, wherever they stand."""
    if isinstance(value, str) and _BARE.fullmatch(value):
        yield value
    elif isinstance(value, dict):
        host, port, scheme = (_first(value, names) for names in (_HOSTS, _PORTS, _SCHEMES))
        if host and port:
            yield (f"{scheme}://" if scheme in ("http", "https", "socks5") else "") + f"{host}:{port}"
        else:
            value = list(value.values())
    if isinstance(value, list) and depth < 6:
        for inner in value:
            yield from _of_json(inner, depth + 1)


def _first(value: dict[str, Any], names: tuple[str, ...]) -> str:
    found = next((value[name] for name in names if isinstance(value.get(name), str | int)), "")
    return str(found).lower()
