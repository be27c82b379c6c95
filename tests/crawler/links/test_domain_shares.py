"""Hosts of one registered domain: the first take turns like all others, further ones by what its pages were worth."""

from types import SimpleNamespace
from typing import cast

from crawler.links.domain_shares import FREE_HOSTS, DomainShares
from pipelines.items import PageItem


def page(url: str, relevance: float | None, *, relevant: bool) -> PageItem:
    return cast(PageItem, SimpleNamespace(url=url, relevance=relevance, relevant=relevant))


def ranked(shares: DomainShares, count: int, domain: str = "farm.com") -> list[int]:
    return [shares.share(f"http://h{number}.{domain}/1", 800) for number in range(count)]


def test_further_hosts_of_a_domain_go_behind_others_in_their_order() -> None:
    shares = DomainShares()
    assert ranked(shares, FREE_HOSTS + 2) == [800] * FREE_HOSTS + [80] * 2
    assert shares.share("http://www.good.com/", 100) == 100
    assert shares.share("http://h0.farm.com/2", 800) == 800
    assert 0 < shares.share("http://h99.farm.com/1", 400) < shares.share("http://h99.farm.com/2", 2_000) < 800


def test_hosts_that_the_operator_chose_are_not_counted() -> None:
    shares = DomainShares()
    for number in range(2 * FREE_HOSTS):
        shares.choose(f"http://h{number}.portal.com/")
    assert ranked(shares, 3 * FREE_HOSTS, "portal.com") == [800] * 3 * FREE_HOSTS


def test_a_portal_earns_hosts_by_pages_on_the_topic_and_others_do_not() -> None:
    shares = DomainShares()
    for number in range(100):
        shares.learn(page(f"http://h1.portal.com/{number}", 0.9, relevant=True))
        shares.learn(page(f"http://h1.farm.com/{number}", 0.1, relevant=False))
        shares.learn(page(f"http://h1.plain.com/{number}", None, relevant=True))
    assert ranked(shares, 60, "portal.com") == [800] * 60
    for domain in ("farm.com", "plain.com"):
        assert ranked(shares, 60, domain) == [800] * FREE_HOSTS + [80] * (60 - FREE_HOSTS)
