"""Engines from an operator's YAML files."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from crawler.config.yaml_file import DeclarationError
from crawler.engines.catalog import built_in, declared_engine, read_catalog
from crawler.engines.protocol.engine import EngineQuery, Reply
from crawler.engines.protocol.reading import read_answer
from crawler.sources.templates import KeyMissingError
from testbed.crawling import REPOSITORY


def declaration(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


GOOD = "url: https://mine.example/s?q={query}&o={offset}\nhtml: li.hit\nfields:\n  url: h3 a\n  summary: p\n"


def test_an_engine_without_code(tmp_path: Path) -> None:
    declaration(tmp_path, GOOD)
    engine = read_catalog(tmp_path).engines["mine"]
    assert engine.request(EngineQuery("水 x", 3), {}).url == "https://mine.example/s?q=%E6%B0%B4%20x&o=20"
    body = b"<ul><li class=hit><h3><a href='https://a.example/'>A</a></h3><p>said</p></ul>"
    answer = read_answer(engine, Reply("https://mine.example/s", 200, body))
    assert [(result.url, result.snippet) for result in answer.results] == [("https://a.example/", "said")]


def test_an_engine_without_code_with_form_key_and_range(tmp_path: Path) -> None:
    text = (
        "url: https://${HOST}/s\nbody: q={query}&age={range}&l={language}&p={page}\nheaders: {X-Token: '${KEY}'}\n"
        "ranges: {week: w}\nlist: a.b\n"
    )
    engine, _ = declared_engine(declaration(tmp_path, text), {})
    assert engine.about.needs == ("HOST", "KEY")
    with pytest.raises(KeyMissingError, match="HOST"):
        engine.request(EngineQuery("x"), {})
    since = date.today() - timedelta(days=5)
    request = engine.request(EngineQuery("a&b {page}", 2, since=since), {"HOST": "api.example", "KEY": "{page}"})
    assert (request.url, request.method) == ("https://api.example/s", "POST")
    assert request.body == "q=a%26b%20%7Bpage%7D&age=w&l=zh&p=2"
    answer = read_answer(
        engine, Reply(request.url, 200, b'{"a": {"b": [{"url": "https://a.example/", "title": "A"}]}}')
    )
    assert [result.url for result in answer.results] == ["https://a.example/"]


def test_the_example_is_valid() -> None:
    catalog = read_catalog(REPOSITORY / "settings" / "engines")
    request = catalog.engines["example"].request(EngineQuery("水", 2, since=date.today()), {})
    assert request.url == "https://search.example/find?q=%E6%B0%B4&from=10&age=d"
    assert "example" in catalog.off


def test_an_engine_in_code_gets_other_limits_and_its_place(tmp_path: Path) -> None:
    (tmp_path / "google.yaml").write_text("order: 1\ndelay: 30\nproxies: p.txt\nlanguage: en\n", encoding="utf-8")
    (tmp_path / "bing.yaml").write_text("enabled: false\n", encoding="utf-8")
    catalog = read_catalog(tmp_path)
    about = catalog.engines["google"].about
    assert (about.delay, about.backoff, about.proxies, about.language) == (30, 3_600, "p.txt", "en")
    assert list(catalog.chosen((), ["baidu", "bing"])) == ["google", "baidu"]
    assert list(catalog.chosen(["sogou"], ["baidu"])) == ["sogou"]
    with pytest.raises(DeclarationError, match=r"bing is disabled in .*bing.yaml"):
        catalog.chosen(["bing"], ())
    with pytest.raises(DeclarationError, match="There is no engine 'bign'"):
        catalog.chosen(["bign"], ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("url: nothing\nhtml: a\nfields: {url: a}", r"mine.yaml, line 1, url: must begin"),
        ("url: https://a.example/?q={qeury}\nhtml: a\nfields: {url: a}", r"line 1, url: \{qeury\} is not known"),
        ("url: https://a.example/\nhtml: a\nfields: {url: a}", r"line 1, url: must contain \{query\}"),
        (GOOD + "dely: 3\n", r"line 6, dely: is not known; there are backoff, body"),
        (GOOD + "delay: soon\n", r"line 6, delay: Input should be a valid number"),
        (GOOD + "enabled: 'no'\n", r"line 6, enabled: Input should be a valid boolean"),
        (GOOD + "pages: 0\n", r"line 6, pages: Input should be greater"),
        (GOOD + "list: a\n", r"line 6, list: needs html or list"),
        (GOOD.replace("li.hit", "'li['"), r"line 2, html: html: 'li\[' is not a selector"),
        (GOOD.replace("h3 a", "'a['"), r"line 3, fields: fields.url: 'a\[' is not a selector"),
        (GOOD.replace("  url: h3 a\n", ""), r"line 3, fields: needs fields.url"),
        (GOOD.replace("  url:", "  link:"), r"line 4, fields.link: is not known; there are summary, time, title, url"),
        (GOOD + "warm_up: https://a.example/\n", r"line 6, warm_up: is called visit_first"),
        (GOOD + "json: {items: a}\n", r"line 6, json: is called list"),
        (
            "url: https://a.example/{query}\nhtml: {block: a}\n",
            r"line 2, html: is one result \(the former block\), with fields",
        ),
        ("delay: 3", r"line 1, url: must be given: there is no engine mine"),
        ("url: [", r"mine.yaml, line [12]: is not YAML"),
        ("- a", r"must have keys"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        declared_engine(declaration(tmp_path, text), built_in())


def test_rules_without_a_url_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bing.yaml").write_text("delay: 3\nhtml: li\n", encoding="utf-8")
    with pytest.raises(DeclarationError, match=r"bing.yaml, line 2, html: needs a url"):
        read_catalog(tmp_path)
