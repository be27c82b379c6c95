"""Titles of one form by the ten thousand, that differ in a number or a name: the cost of the next title stays bounded."""

import time
from contextlib import closing
from pathlib import Path
from random import Random

from scrapy.settings import Settings

from benchmarks.attacks import Trial, outcome
from extractors.links.urls import url_key
from pipelines.stores.opening import open_store
from pipelines.titles.body_judge import BodyJudge
from pipelines.titles.decider import TitleDecider
from pipelines.titles.opening import new_comparer
from pipelines.titles.title_requests import FACTS, TitleRequest

_GROUP = 200
_MAX_RATIO, _MAX_SECONDS_A_TITLE = 8.0, 0.02
_FORMS = (
    "{}月{}日{}市今日油价调整最新消息",
    "{}{}招聘公告第{}号",
    "Price of {} in {} today: {} USD",
    "【{}】{}第{}期开奖结果",
    "{}{}{}",
)
_NAMES = "北京 上海 广州 深圳 成都 武汉 杭州 南京 重庆 天津 苏州 西安 长沙 青岛 郑州".split()


def attack(folder: Path, trial: Trial) -> str:
    """As many titles as the option says pages; the last tenth against the first."""
    chance = trial.chance()
    form = chance.choice(_FORMS)
    with closing(open_store(f"sqlite:///{folder}/titles.db")) as store:
        settings = Settings()
        settings.setmodule("settings.base")
        decider = TitleDecider(store, new_comparer(settings), BodyJudge(store), 0, lambda: None)
        costs = []
        for first in range(0, trial.pages, _GROUP):
            requests = [
                _request(number, form.format(*_parts(chance, number))) for number in range(first, first + _GROUP)
            ]
            began = time.process_time()
            decider.decide(requests)
            costs.append((time.process_time() - began) / _GROUP)
    tenth = max(1, len(costs) // 10)
    early, late = sum(costs[:tenth]) / tenth, sum(costs[-tenth:]) / tenth
    return outcome(
        f"{form!r}, {trial.pages:,} titles: {early * 1e3:.2f} ms CPU a title in the first tenth, {late * 1e3:.2f} in the last",
        "it grows" if late > _MAX_RATIO * early else "",
        "too slow" if late > _MAX_SECONDS_A_TITLE else "",
    )


def _parts(chance: Random, number: int) -> tuple[object, object, object]:
    return chance.choice((number, chance.choice(_NAMES))), chance.choice(_NAMES), number


def _request(number: int, title: str) -> TitleRequest:
    given = {
        "page": url_key(f"http://x.example/{number}"),
        "title": title,
        "url": f"http://h{number % 50}.example/{number}",
        "site": f"h{number % 50}.example",
    }
    times = dict.fromkeys(("published", "published_at", "fetched_at"), f"2026-11-{1 + number % 28:02}T08:00:00+00:00")
    return TitleRequest(
        dict.fromkeys(FACTS, "") | {"keywords": [], "replies": None, "views": None, "comments": 0} | times | given,
        title,
    )
