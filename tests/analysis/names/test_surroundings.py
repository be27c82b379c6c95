"""What is near to a place decides between divisions of one name."""

import pytest

from analysis.events.store.readings import read
from analysis.jobs import StoredPage
from analysis.names import find_division, find_names, near_codes


def _district(text: str, site: str = "", topic: str = "") -> str:
    names = find_names(text)
    place = next(name for name in names if name.text == "鼓楼区")
    found = find_division(place.text, near_codes(names, place.start, site, topic))
    return found.parents[0] if found else ""


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("南京市鼓楼区发生火灾，福州市派人学习。", "南京市"),
        ("福州市派人到鼓楼区，南京市也派人。", "福州市"),
        ("鼓楼区发生火灾。", ""),
    ],
)
def test_the_nearest_place_that_is_sure_decides(text: str, city: str) -> None:
    assert _district(text) == city


def test_the_topic_and_the_site_decide_where_the_text_says_nothing() -> None:
    assert _district("鼓楼区发生火灾。", topic="开封文旅") == "开封市"
    assert _district("鼓楼区发生火灾。", site="www.kaifeng.henan.gov.cn") == "开封市"
    assert _district("鼓楼区发生火灾。", site="news.fjsen.com") == "福州市"
    assert _district("鼓楼区发生火灾。", site="example.com") == ""
    assert _district("福州鼓楼区发生火灾。", topic="开封文旅", site="www.dahe.cn") == "福州市"


def test_a_page_is_read_with_its_site() -> None:
    row = {
        "host": "news.fjsen.com", "title": "鼓楼区发生火灾", "body": "鼓楼区一仓库昨晚发生火灾。", "kind": "article", "topic": "",
        "language": "zh", "published": "2026-05-10T08:00:00", "published_at": "2026-05-10T00:00:00Z", "published_precision": "second",
        "counted_at": "2026-05-10T00:00:00Z", "fetched_at": "2026-05-10T00:00:00Z",
    }  # fmt: skip
    readings, _ = read(StoredPage("key", row, []))
    assert [name[3] for name in readings["names"] if name[2] == "place"] == ["350102", "350102"]
    assert readings["elements"]["places"][0][2] == "350102"
