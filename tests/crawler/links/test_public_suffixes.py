"""Which part of a host its owner registered, by the list of public suffixes."""

import pytest
from tldextract import TLDExtract

from crawler.links.public_suffixes import is_public_suffix, registered_part
from crawler.links.scope import registered_domain


@pytest.mark.parametrize(
    ("host", "registered"),
    [
        ("www.example.com", "example.com"),
        ("news.example.com.cn", "example.com.cn"),
        ("EXAMPLE.Com.", "example.com"),
        ("some.github.io", "some.github.io"),
        ("a.some.github.io", "some.github.io"),
        ("a.b.c.ck", "b.c.ck"),  # *.ck
        ("a.www.ck", "www.ck"),  # !www.ck
        ("新闻。例子。中国", "例子.中国"),
        ("www.xn--fsqu00a.xn--fiqs8s", "xn--fsqu00a.xn--fiqs8s"),
        ("https://me@www.example.co.uk:8080/page?a.b.com", "example.co.uk"),
        ("com.cn", ""),
        ("github.io", ""),
        ("c.ck", ""),
        (".com", ""),
        ("localhost", ""),
        ("127.0.0.1", ""),
        ("[::1]", ""),
        ("a.b.nosuchsuffix", ""),
    ],
)
def test_registered_part_of_a_host(host: str, registered: str) -> None:
    theirs = TLDExtract(suffix_list_urls=(), include_psl_private_domains=True, cache_dir=None)
    assert registered_part(host) == registered == theirs(host).top_domain_under_public_suffix.lower()
    assert registered_domain(host) == (registered or host)
    assert is_public_suffix(host) == (not theirs(host).domain)


@pytest.mark.parametrize("host", ["", ".", "[", "http://[", "a..b"])
def test_what_is_no_host_has_no_registered_part(host: str) -> None:
    assert registered_part(host) == ""
    assert not is_public_suffix(host)


def test_the_longest_rule_wins() -> None:
    """`*.futurecms.at` and `*.ex.futurecms.at` are rules: the second does not spare ex.futurecms.at the first."""
    assert is_public_suffix("ex.futurecms.at")
    assert registered_part("a.b.ex.futurecms.at") == "a.b.ex.futurecms.at"
