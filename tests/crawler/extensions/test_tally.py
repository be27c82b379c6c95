"""What is counted of the pages of a run."""

from types import SimpleNamespace
from typing import Any

from crawler.extensions.tally import Tally


def item(url: str, requested: str = "", *, relevant: bool = True) -> Any:
    page = SimpleNamespace(
        kind=SimpleNamespace(name="article", is_list=False), article=SimpleNamespace(title="", text="")
    )
    return SimpleNamespace(url=url, requested_url=requested or url, page=page, relevant=relevant, relevance=None)


def test_each_page_read_is_kept_or_off_topic_or_a_duplicate() -> None:
    tally = Tally(SimpleNamespace(stats=SimpleNamespace(get_value=lambda name, default: 3)))  # type: ignore[arg-type]
    seen = [
        item("http://a.example/1"),
        item("http://a.example/1", "http://a.example/1?from=list"),  # names the first as its own address
        item("http://a.example/1"),  # a later visit of the same
        item("http://a.example/2", relevant=False),
        SimpleNamespace(rows=[]),  # no page
    ]
    for each in seen:
        tally._item(each)
    assert tally.counts() == {"pages": 2, "off_topic": 1, "duplicates": 1, "unchanged": 3, "refused": 3}
    assert tally.read == 4
    assert tally.articles == 2
