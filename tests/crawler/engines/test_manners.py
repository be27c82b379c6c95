"""Rests after blocks, the order of queries, engines written down in YAML."""

from pathlib import Path

import pytest

from crawler.declarations import DeclarationError
from crawler.engines.base import About, Query, Reply
from crawler.engines.catalog import all_engines
from crawler.engines.declared import declared_engine
from crawler.engines.queries import Planned, Terms, plan
from crawler.engines.reading import read
from crawler.engines.resting import Resting

SHY = About("shy", "shy.example", delay=1.0, rest=900.0)
OPEN = About("open", "open.example", delay=1.0)


class BlockingEngine:
    """Refuses for `ban` seconds after `most` requests."""

    def __init__(self, most: int, ban: float) -> None:
        self.most, self.ban, self.count, self.until = most, ban, 0, 0.0
        self.hammered = 0

    def ask(self, now: float) -> bool:
        if now < self.until:
            self.hammered += 1
            return False
        self.count += 1
        if self.count > self.most:
            self.count, self.until = 0, now + self.ban
            return False
        return True


def test_a_blocking_engine_is_asked_again_only_after_its_rest() -> None:
    now = [1_000_000.0]
    resting = Resting([SHY, OPEN], lambda: now[0])
    shy, asked = BlockingEngine(9, 900), {"shy": 0, "open": 0}
    for _ in range(3_600):
        for name in asked:
            if resting.wait(name) == 0:
                resting.asked(name)
                answered = shy.ask(now[0]) if name == "shy" else True
                asked[name] += answered
                (resting.answered if answered else resting.blocked)(name)
        now[0] += 1.0
    assert shy.hammered == 0
    assert asked["shy"] == 9 * 4
    assert asked["open"] == 3_600


def test_rests_double_and_an_answer_ends_them() -> None:
    now = [0.0]
    resting = Resting([SHY], lambda: now[0])
    resting.blocked("shy")
    assert resting.wait("shy") == 900
    row = resting.blocked("shy")
    assert resting.wait("shy") == 1_800
    other = Resting([SHY], lambda: now[0])
    other.load(row)
    assert other.wait("shy") == 1_800
    now[0] = 1_800
    assert other.answered("shy") == {"engine": "shy", "blocks": 0, "until": 0.0}


def test_queries_are_bounded_and_ordered_by_yield() -> None:
    terms = Terms(("股票", "基金"), ("风险",))
    queries = plan(terms, ["a.example"], 5, {"基金": 3.0})
    assert queries[0] == Planned("基金")
    assert Planned("股票 风险") in queries
    assert len(queries) == 5
    assert len(plan(terms, ["a.example"], 100)) == 6


def declaration(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


GOOD = "url: https://mine.example/s?q={query}&o={offset}\nhtml:\n  block: li.hit\n  link: h3 a\n  snippet: p\n"


def test_an_engine_without_code(tmp_path: Path) -> None:
    declaration(tmp_path, GOOD)
    engine = all_engines(tmp_path)["mine"]
    assert engine.request(Query("水 x", 3), {}).url == "https://mine.example/s?q=%E6%B0%B4%20x&o=20"
    body = b"<ul><li class=hit><h3><a href='https://a.example/'>A</a></h3><p>said</p></ul>"
    answer = read(engine, Reply("https://mine.example/s", 200, body))
    assert [(result.url, result.snippet) for result in answer.results] == [("https://a.example/", "said")]


def test_an_engine_in_code_can_be_switched_off(tmp_path: Path) -> None:
    (tmp_path / "google.yaml").write_text(GOOD + "enabled: false\n", encoding="utf-8")
    assert "google" not in all_engines(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("url: nothing\nhtml: {block: a, link: a}", r"mine.yaml, line 1, url: must begin"),
        (GOOD + "dely: 3\n", r"line 6, dely: is not known"),
        (GOOD + "delay: soon\n", r"line 6, delay: must be a number"),
        (GOOD.replace("li.hit", "'li['"), r"line 2, html: block: 'li\[' is no selector"),
        (GOOD.replace("  link: h3 a\n", ""), r"line 2, html: 'link' is missing"),
        ("url: [", r"mine.yaml, line 1: is no YAML"),
        ("- a", r"must hold keys"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        declared_engine(declaration(tmp_path, text))
