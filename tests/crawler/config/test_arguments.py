"""What is taken for a start page."""

import pytest

from crawler.config.arguments import ArgumentError, site_arguments


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("http://intranet/", "http://intranet/"),
        ("http://localhost:8000/", "http://localhost:8000/"),
        ("localhost:8000", "https://localhost:8000/"),
        ("some.site", "https://some.site/"),
        ("http://some.site:80/a", "http://some.site/a"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
        ("新闻.中国", "https://xn--efvy88h.xn--fiqs8s/"),
    ],
)
def test_hosts_that_a_start_page_may_have(given: str, read: str) -> None:
    assert site_arguments(url=given).urls == (read,)


def test_a_word_alone_is_refused_with_how_to_write_it() -> None:
    with pytest.raises(ArgumentError, match=r"'intranet' is not a web address.*http://intranet/"):
        site_arguments(url="intranet")


@pytest.mark.parametrize("given", ["http://", "ftp://some.site/", "http:///x", "javascript:alert(1)", "/etc/passwd"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(ArgumentError, match="is not a web address"):
        site_arguments(url=given)


def test_an_address_in_place_of_a_file_gets_the_argument_for_it() -> None:
    with pytest.raises(ArgumentError, match=r"cannot be read.*use -a url=http://a\.example/"):
        site_arguments(urls="http://a.example/")
