"""Rows of how a collection fares, as the console shows them: queries of meta-searches."""

import random
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from pipelines.stores.base import Table
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES

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
