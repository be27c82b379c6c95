"""From settings to pools of proxies: lists in files of the settings folder, or from providers."""

from scrapy.settings import BaseSettings

from crawler.config.folder import settings_folder
from crawler.config.sites import Sites, read_sites
from crawler.proxies.pool import Policy, Proxy, ProxyError, ProxyPool, read_proxies
from crawler.proxies.providers import fetch_proxies, is_provider


def read_list(settings: BaseSettings, source: str) -> list[Proxy]:
    """The proxies of a file in the settings folder, or of a provider's address; ProxyError if they cannot be had."""
    if is_provider(source):
        return fetch_proxies(source)
    try:
        text = (settings_folder(settings) / source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProxyError(f"The list of proxies {source} cannot be read: {error}") from None
    return read_proxies(text, source)


def sources_of(sites: Sites) -> list[str]:
    """The lists that sites name, each once."""
    return list(dict.fromkeys(site.proxies for site in sites.all() if site.proxies))


def read_pools(settings: BaseSettings, sites: Sites) -> dict[tuple[str, Policy], ProxyPool]:
    """A pool for each list and policy that sites name; ProxyError if a list cannot be had."""
    lists = {source: read_list(settings, source) for source in sources_of(sites)}
    return {
        (site.proxies, site.proxy_policy): ProxyPool(
            lists[site.proxies],
            site.proxy_policy,
            rest=settings.getfloat("PROXY_BACKOFF", 5.0),
            longest=settings.getfloat("PROXY_BACKOFF_MAX", 300.0),
        )
        for site in sites.all()
        if site.proxies
    }


def check_proxies(settings: BaseSettings) -> None:
    """ValueError, with a sentence, if the files of sites or their lists of proxies cannot be used."""
    read_pools(settings, read_sites(settings))
