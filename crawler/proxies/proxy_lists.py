"""Lists of proxies, from files in the settings folder or from providers, and pools of them."""

import json
import os
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from scrapy.settings import BaseSettings

from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import settings_folder
from crawler.proxies.proxy_pool import Policy, Proxy, ProxyPool

_PROVIDER_TIMEOUT_SECONDS = 20.0
_MAX_LIST_BYTES = 5_000_000
_MAX_PROXIES = 20_000
_MAX_JSON_DEPTH = 6
_HOST_KEYS, _PORT_KEYS, _SCHEME_KEYS = ("ip", "host", "server", "addr"), ("port",), ("protocol", "scheme", "type")
_BARE_ADDRESS = re.compile(r"(?:(\w+)://)?([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})", re.I)
_VARIABLE = re.compile(r"\$\{(\w+)\}")


class ProxyError(ValueError):
    """An unusable list; the message never contains the name or password of a proxy."""


def read_pools(settings: BaseSettings, sites: Sites) -> dict[tuple[str, Policy], ProxyPool]:
    """A pool for each list and policy in the files of sites. Raises ProxyError if a list cannot be read."""
    lists = {source: read_list(settings, source) for source in sources_of(sites)}
    return {
        (site.proxies, site.proxy_policy): ProxyPool(
            lists[site.proxies],
            site.proxy_policy,
            backoff=settings.getfloat("PROXY_BACKOFF", 5.0),
        )
        for site in sites.all()
        if site.proxies
    }


def check_proxies(settings: BaseSettings) -> None:
    """Raises ValueError if the files of sites or their lists of proxies cannot be used."""
    read_pools(settings, read_sites(settings))


def sources_of(sites: Sites) -> list[str]:
    return list(dict.fromkeys(site.proxies for site in sites.all() if site.proxies))


def is_provider(source: str) -> bool:
    """Whether a list is named by the address of a provider instead of a file."""
    return source.startswith(("http://", "https://"))


def read_list(settings: BaseSettings, source: str) -> list[Proxy]:
    """The proxies of a file in the settings folder, or of a provider. Raises ProxyError if they cannot be read."""
    if is_provider(source):
        return fetch_proxies(source)
    try:
        text = (settings_folder(settings) / source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProxyError(f"The list of proxies {source} cannot be read: {error}") from None
    return read_proxies(text, source)


def read_proxies(text: str, source: str, *, own: bool = True) -> list[Proxy]:
    """One address per line, like http://name:${SECRET}@host:port. # starts a comment; ${NAME} is an environment variable.

    own: the text is the operator's; in others' texts ${NAME} is not replaced, as they would learn its value.
    Raises ProxyError with the line.
    """
    proxies = []
    for number, line in enumerate(text.splitlines(), start=1):
        if address := line.partition("#")[0].strip():
            where = f"{source}, line {number}"
            proxies.append(_proxy(_with_environment(address, where) if own else address, where))
    if not proxies:
        raise ProxyError(f"{source} has no proxies")
    return proxies


def fetch_proxies(source: str) -> list[Proxy]:
    """The current list of a provider. Blocks for up to 20 seconds.

    The address may contain ${NAME} from the environment, and after a # the default scheme of the listed proxies
    (https://provider.example/list?key=${KEY}#socks5). Proxies without name and password get the environment's
    PROXY_USERNAME and PROXY_PASSWORD. Raises ProxyError, which shows only the host of the address.
    """
    address = _with_environment(source, f"the provider {urlsplit(source).hostname}")
    url, _, scheme = address.partition("#")
    lines = list(_lines(_fetched(url), scheme or "http"))[:_MAX_PROXIES]
    return read_proxies("\n".join(lines), f"the provider {urlsplit(url).hostname}", own=False)


def _proxy(address: str, where: str) -> Proxy:
    url = address if "://" in address else f"http://{address}"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise ProxyError(f"{where}: must be like http://host:port")
    if parts.scheme not in ("http", "https", "socks5", "socks5h"):
        raise ProxyError(f"{where}: {parts.scheme} proxies cannot be used; http, https and socks5 can")
    if parts.scheme.startswith("socks") and not find_spec("socksio"):
        raise ProxyError(f"{where}: {parts.scheme} needs an extra package: run  pip install 'topicrawl[socks]'")
    return Proxy(url, f"{parts.scheme}://{host}:{port}")


def _with_environment(text: str, where: str) -> str:
    def value(found: re.Match[str]) -> str:
        if found[1] not in os.environ:
            raise ProxyError(f"{where}: the environment has no {found[1]}")
        return os.environ[found[1]]

    return _VARIABLE.sub(value, text)


def _fetched(url: str) -> str:
    host = urlsplit(url).hostname
    try:
        with urlopen(Request(url, headers={"User-Agent": "topicrawl"}), timeout=_PROVIDER_TIMEOUT_SECONDS) as answer:
            body: bytes = answer.read(_MAX_LIST_BYTES + 1)
    except HTTPError as error:
        error.close()
        raise ProxyError(f"The provider {host} sends no list of proxies: HTTP {error.code}") from None
    except (OSError, ValueError) as error:  # its text may contain the address with the key
        reason = error.reason if isinstance(error, URLError) else type(error).__name__
        raise ProxyError(f"The provider {host} sends no list of proxies: {reason}") from None
    if len(body) > _MAX_LIST_BYTES:
        raise ProxyError(
            f"The provider {host} sends more than {_MAX_LIST_BYTES:,} bytes: that is not a list of proxies"
        )
    return body.decode("utf-8", "replace")


def _lines(text: str, scheme: str) -> Iterator[str]:
    """Addresses in the format of a file of proxies."""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            found = list(_json_addresses(json.loads(text)))
        except (ValueError, RecursionError):
            raise ProxyError("The provider's list of proxies is broken JSON") from None
    else:
        found = text.split()
    for address in found:
        if "@" in address or not (bare := _BARE_ADDRESS.fullmatch(address.strip().rstrip("/"))):
            yield address
        else:
            yield f"{(bare[1] or scheme).lower()}://{_credentials()}{bare[2]}:{bare[3]}"


def _credentials() -> str:
    name, password = os.environ.get("PROXY_USERNAME", ""), os.environ.get("PROXY_PASSWORD", "")
    return f"{quote(name, safe='')}:{quote(password, safe='')}@" if name else ""


def _json_addresses(value: Any, depth: int = 0) -> Iterator[str]:
    """Texts that are addresses, and objects with a host and a port, anywhere in the JSON."""
    if isinstance(value, str) and _BARE_ADDRESS.fullmatch(value):
        yield value
    elif isinstance(value, dict):
        host, port, scheme = (_first(value, names) for names in (_HOST_KEYS, _PORT_KEYS, _SCHEME_KEYS))
        if host and port:
            yield (f"{scheme}://" if scheme in ("http", "https", "socks5") else "") + f"{host}:{port}"
        else:
            value = list(value.values())
    if isinstance(value, list) and depth < _MAX_JSON_DEPTH:
        for inner in value:
            yield from _json_addresses(inner, depth + 1)


def _first(value: dict[str, Any], names: tuple[str, ...]) -> str:
    found = next((value[name] for name in names if isinstance(value.get(name), str | int)), "")
    return str(found).lower()
