"""Alerts in Chinese: every kind, and rows whose facts are missing."""

import pytest

from analysis.alerts.wording import worded

FACTS = {
    "event": {"site_count": 3, "pages": 9, "place": "海城", "first_site": "a.example"},
    "burst": {"of": "term=余震", "topic": "quake", "count": 30, "usual": 2.4},
    "term": {"count": 5, "page_count": 3},
    "place": {"count": 5, "page_count": 3},
    "mood": {"texts": 40, "share": 0.5, "before": 0.2},
    "silent": {"site": "a.example", "expected": 12.3},
    "stalled": {"job": "news", "died": True},
    "failed": {"job": "news", "runs": 2, "reason": "shutdown", "exit_code": 4},
}


@pytest.mark.parametrize("kind", FACTS)
def test_every_kind_has_chinese_words(kind: str) -> None:
    row = {"kind": kind, "title": "标题", "text": "text", "topic": "quake", "facts": FACTS[kind]}
    title, text = worded(row, "zh")
    assert title != "title"
    assert text not in ("text", "")
    assert worded(row, "en") == ("标题", "text")
    assert worded(row | {"facts": {}}, "zh") == ("标题", "text")
    assert worded(row | {"facts": None, "kind": "new"}, "zh") == ("标题", "text")
