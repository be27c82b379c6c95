"""Alerts in Chinese: every kind, and rows whose facts are missing."""

import inspect
import re

import pytest

from analysis.alerts import alert_rules
from analysis.alerts.wording import worded

FACTS = {
    "event": {"site_count": 3, "pages": 9, "place": "海城", "first_site": "a.example"},
    "burst": {"of": "term=余震", "topic": "quake", "count": 30, "usual": 2.4},
    "term": {"count": 5, "page_count": 3},
    "place": {"count": 5, "page_count": 3},
    "mood": {"texts": 40, "share": 0.5, "before": 0.2},
    "silent": {"site": "a.example", "expected": 12.3},
    "stalled": {"job": "news", "died": True},
    "layout": {"list": "https://a.example/list", "reason": "only 2 of 9 items can be read"},
    "entered": {"item": "余震", "ranks": [["weibo_hot", 3]]},
    "rank": {"item": "余震", "ranks": [["weibo_hot", 1]]},
    "subscription": {"page_count": 2, "count": 3, "listed": [["海城地震", "https://a.example/1"]]},
    "failed": {"job": "news", "runs": 2, "reason": "shutdown", "exit_code": 4},
}


def test_every_kind_is_here() -> None:
    assert set(FACTS) == set(re.findall(r'kind: Literal\["(\w+)"\]', inspect.getsource(alert_rules)))


@pytest.mark.parametrize("kind", FACTS)
def test_every_kind_has_chinese_words(kind: str) -> None:
    row = {"kind": kind, "title": "标题", "text": "text", "topic": "quake", "facts": FACTS[kind]}
    title, text = worded(row, "zh")
    assert re.findall(r"(?:[A-Za-z][a-z']*,? ){2,}[a-z']+", f"{title} {text}") == []
    assert title != "title"
    assert text not in ("text", "")
    assert worded(row, "en") == ("标题", "text")
    assert worded(row | {"facts": {}}, "zh") == ("标题", "text")
    assert worded(row | {"facts": None, "kind": "new"}, "zh") == ("标题", "text")
