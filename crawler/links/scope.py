"""The URLs that belong to a crawl."""

from functools import lru_cache

from crawler.links.public_suffixes import registered_part
from extractors.links.urls import host_of


@lru_cache(maxsize=20_000)
def registered_domain(host: str) -> str:
    """The domain that its owner registered (news.example.com.cn → example.com.cn); the host itself if it has none."""
    return registered_part(host) or host


class Scope:
    """The registered domains of some URLs, and further ones that the operator allows.

    Args:
        urls: start pages, whose domains are in scope.
        allow: further domains, or URL prefixes (beginning with http). With prefixes, only URLs with one of them are in
            scope.
    """

    def __init__(self, urls: list[str], allow: list[str]) -> None:
        self.prefixes = tuple(entry for entry in allow if entry.startswith(("http://", "https://")))
        named = {registered_domain(entry.lower()) for entry in allow if entry and entry not in self.prefixes}
        self._domains = named | {registered_domain(host_of(url)) for url in urls}

    def widen(self, url: str) -> None:
        """Add the URL's domain to the scope, unless the operator has given prefixes."""
        if not self.prefixes:
            self._domains.add(registered_domain(host_of(url)))

    def holds(self, url: str) -> bool:
        if self.prefixes and not url.startswith(self.prefixes):
            return False
        return registered_domain(host_of(url)) in self._domains
