"""Rows of how a collection fares, as the console shows them: queries of meta-searches, runs, and what they report."""

import random
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from pipelines.stores.base import Table
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES, RUNS

_WORDS = "首付比例 房贷利率 公积金 二手房 限购 土地拍卖 保交楼 契税 租赁住房 以旧换新 房产税 法拍房".split()
_ASPECTS = ("", "政策", "投诉")
_ENGINES = ("baidu", "bing", "sogou")
_STATES = ["results"] * 12 + ["none", "waiting", "waiting", "failed"]


def made_queries(now: datetime, seed: int = 2) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """Three pages of 36 terms at three engines, one of which has blocked."""
    chance = random.Random(seed)
    words = [f"{word} {aspect}".strip() for word in _WORDS for aspect in _ASPECTS]
    for engine in _ENGINES:
        for place, term in enumerate(words):
            for page in range(1, 4):
                state = "blocked" if engine == "sogou" and place > 20 else chance.choice(_STATES)
                if engine == "bing" and place == 7:
                    state = "layout_changed"
                new = chance.randint(0, 9) if state == "results" else 0
                yield QUERIES, {
                    "key": f"{engine}{place}.{page}", "crawl": "metasearch-housing", "topic": "housing", "engine": engine, "words": term,
                    "site": "", "state": state, "reason": "HTTP 403" if state == "blocked" else "", "page": page, "place": place,
                    "results": 10 if new else 0, "new": new, "relevant": chance.randint(0, new), "tries": int(state != "waiting"),
                    "asked_at": (now - timedelta(minutes=place * 3)).isoformat(timespec="seconds"),
                }  # fmt: skip
    yield ENGINE_BACKOFFS, {"engine": "sogou", "blocks": 3, "until": now.timestamp() + 900}


_RUNS = (
    ("site", {"topic": "housing"}, 1_000, 1.2),
    ("site", {"urls": ["https://news.site.example/"], "max_pages": 500}, 500, 0.9),
    ("metasearch", {"topic": "housing", "pages": 2}, 1_300, 0.5),
    ("watch", {"topic": "tax"}, 2_400, 0.1),
)


def made_runs(now: datetime, runs: int = 200, seed: int = 3) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """A run every two hours; the latest two go on, and one in thirty has failed."""
    chance = random.Random(seed)
    for number in range(runs):
        spider, arguments, pages, rate = _RUNS[number % len(_RUNS)]
        began = now - timedelta(hours=2 * number + 0.4)
        state = "running" if number < 2 else "failed" if number % 30 == 3 else "done"
        done = int(pages * chance.uniform(0.9, 1.05) * (0.3 if state != "done" else 1))
        ended = now if state == "running" else began + timedelta(seconds=done / rate)
        at = ended.isoformat(timespec="seconds")
        yield RUNS, {
            "key": f"run{number}", "spider": spider, "job": f"{spider}-{number}", "node": f"crawl-{number % 3 + 1}", "state": state,
            "started": began.isoformat(timespec="seconds"), "finished": "" if state == "running" else at, "seen": at,
            "arguments": {**arguments, "crawl": f"{spider}-{number % len(_RUNS)}"}, "alike": f"{number % len(_RUNS)}",
            "exit_code": {"running": None, "done": 0}.get(state, 6), "pages": done, "articles": done // 3, "errors": chance.randint(0, 4),
            "sentence": "The store cannot be used: the disk is full; make room and start again" if state == "failed" else "Finished",
            "reason": "store_unusable" if state == "failed" else "finished",
        }  # fmt: skip
