"""Rests after blocks, the order of queries, engines written down in YAML."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from crawler.config.yaml_file import DeclarationError
from crawler.engines.answers.reading import read
from crawler.engines.base import About, KeyMissingError, Query, Reply
from crawler.engines.catalog import built_in, read_catalog
from crawler.engines.declared import declared_engine
from crawler.metasearch.backoff import Resting
from crawler.metasearch.queries import Planned, Terms, plan
from tests.crawling import REPOSITORY

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
    queries = plan(terms, ["a.example"], 5, {("基金", ""): 3.0})
    assert queries[:2] == [Planned("基金"), Planned("基金 风险")]  # a combination by its subject's yield
    assert Planned("股票") in queries
    assert len(queries) == 5
    assert len(plan(terms, ["a.example"], 100)) == 6
    assert plan(terms, ["a.example", "b.example"], 1, {("", "b.example"): 9.0}) == [Planned("股票", "b.example")]
    assert plan(Terms(("股票", "基金"), (), {"基金": 1.0, "股票": 0.3}), [], 1) == [Planned("基金")]


def declaration(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


GOOD = "url: https://mine.example/s?q={query}&o={offset}\nhtml:\n  block: li.hit\n  link: h3 a\n  snippet: p\n"


def test_an_engine_without_code(tmp_path: Path) -> None:
    declaration(tmp_path, GOOD)
    engine = read_catalog(tmp_path).engines["mine"]
    assert engine.request(Query("水 x", 3), {}).url == "https://mine.example/s?q=%E6%B0%B4%20x&o=20"
    body = b"<ul><li class=hit><h3><a href='https://a.example/'>A</a></h3><p>said</p></ul>"
    answer = read(engine, Reply("https://mine.example/s", 200, body))
    assert [(result.url, result.snippet) for result in answer.results] == [("https://a.example/", "said")]


def test_an_engine_without_code_with_form_key_and_range(tmp_path: Path) -> None:
    text = (
        "url: https://${HOST}/s\nbody: q={query}&age={range}&l={language}&p={page}\nheaders: {X-Token: '${KEY}'}\n"
        "ranges: {week: w}\njson: {items: a.b}\n"
    )
    engine, _ = declared_engine(declaration(tmp_path, text), {})
    assert engine.about.needs == ("HOST", "KEY")
    with pytest.raises(KeyMissingError, match="HOST"):
        engine.request(Query("x"), {})
    since = date.today() - timedelta(days=5)
    asking = engine.request(Query("a&b {page}", 2, since=since), {"HOST": "api.example", "KEY": "{page}"})
    assert (asking.url, asking.method) == ("https://api.example/s", "POST")
    assert asking.body == "q=a%26b%20%7Bpage%7D&age=w&l=zh&p=2"
    answer = read(engine, Reply(asking.url, 200, b'{"a": {"b": [{"url": "https://a.example/", "title": "A"}]}}'))
    assert [result.url for result in answer.results] == ["https://a.example/"]


def test_the_example_is_right() -> None:
    catalog = read_catalog(REPOSITORY / "settings" / "engines")
    request = catalog.engines["example"].request(Query("水", 2, since=date.today()), {})
    assert request.url == "https://search.example/find?q=%E6%B0%B4&from=10&age=d"
    assert "example" in catalog.off


def test_an_engine_in_code_gets_other_manners_and_its_place(tmp_path: Path) -> None:
    (tmp_path / "google.yaml").write_text("order: 1\ndelay: 30\nproxies: p.txt\nlanguage: en\n", encoding="utf-8")
    (tmp_path / "bing.yaml").write_text("enabled: false\n", encoding="utf-8")
    catalog = read_catalog(tmp_path)
    about = catalog.engines["google"].about
    assert (about.delay, about.rest, about.proxies, about.language) == (30, 3_600, "p.txt", "en")
    assert list(catalog.chosen((), ["baidu", "bing"])) == ["google", "baidu"]
    assert list(catalog.chosen(["sogou"], ["baidu"])) == ["sogou"]
    with pytest.raises(DeclarationError, match=r"bing is switched off in .*bing.yaml"):
        catalog.chosen(["bing"], ())
    with pytest.raises(DeclarationError, match="There is no engine 'bign'"):
        catalog.chosen(["bign"], ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("url: nothing\nhtml: {block: a, link: a}", r"mine.yaml, line 1, url: must begin"),
        ("url: https://a.example/?q={qeury}\nhtml: {block: a, link: a}", r"line 1, url: \{qeury\} is not known"),
        ("url: https://a.example/\nhtml: {block: a, link: a}", r"line 1, url: must hold \{query\}"),
        (GOOD + "dely: 3\n", r"line 6, dely: is not known; there are body"),
        (GOOD + "delay: soon\n", r"line 6, delay: Input should be a valid number"),
        (GOOD + "enabled: 'no'\n", r"line 6, enabled: Input should be a valid boolean"),
        (GOOD + "pages: 0\n", r"line 6, pages: Input should be greater"),
        (GOOD + "json: {items: a}\n", r"line 6, json: needs either"),
        (GOOD.replace("li.hit", "'li['"), r"line 3, html.block: 'li\[' is no selector"),
        (GOOD.replace("  link: h3 a\n", ""), r"line 2, html.link: is missing"),
        (GOOD.replace("link:", "lnk:"), r"line 4, html.lnk: is not known"),
        (GOOD.replace("snippet", "snipet"), r"line 5, html.snipet: is not known; there are block, date, link"),
        ("delay: 3", r"line 1, url: must be given: mine is no engine in code"),
        ("url: [", r"mine.yaml, line 1: is no YAML"),
        ("- a", r"must hold keys"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        declared_engine(declaration(tmp_path, text), built_in())


def test_rules_without_a_url_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bing.yaml").write_text("delay: 3\nhtml: {block: li, link: a}\n", encoding="utf-8")
    with pytest.raises(DeclarationError, match=r"bing.yaml, line 2, html: needs a url"):
        read_catalog(tmp_path)
