"""Each engine that the folder has: its request, its sample, its further pages. What it can be asked for is read in its file."""

import re
import time
from datetime import date, timedelta
from importlib.resources import files

import pytest

from crawler.engines.catalog import built_in, sample
from crawler.engines.protocol.engine import EngineQuery, Reply
from crawler.engines.protocol.reading import read_answer
from crawler.sources.templates import KeyMissingError

ENGINES = built_in()
FILES = {path.name.partition(".")[0]: path for path in files("crawler.engines").iterdir() if path.is_file()}
TIME = re.compile(r"\{(?:since|days|range)\b|query\.(?:since|days|age_code)|time_range\(query\)")
LANGUAGE = re.compile(r"\{(?:language|locale)\}|query\.language")
TEMPLATE = "https://keys.example/?q={query}&p={page}&l={language}&s={since}"
KEYS = {
    key: TEMPLATE if key.endswith("_URL") else "CC-MAIN-2026-30"
    for engine in ENGINES.values()
    for key in engine.about.needs
}
"""A value for each key that an engine needs; `commoncrawl` checks the form of its own."""


def mentions(name: str, words: re.Pattern[str]) -> bool:
    """Whether the file of an engine uses one of these fields of a query."""
    return words.search(FILES[name].read_text(encoding="utf-8")) is not None


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_reads_its_sample(name: str) -> None:
    answer = read_answer(ENGINES[name], sample(ENGINES[name]))
    assert answer.kind == "results", answer.reason
    assert [result.rank for result in answer.results] == [1, 2, 3]
    assert all(result.url.startswith("http") and result.title for result in answer.results)
    own = f"https://{ENGINES[name].about.host}/"  # a wiki finds its own pages
    assert answer.results[1].url == "https://lake.example/news/7" or answer.results[1].url.startswith(own)


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_asks_differently_for_the_next_page(name: str) -> None:
    engine = ENGINES[name]
    first, second = (engine.request(EngineQuery("水 质", page, "lake.example"), KEYS) for page in (1, 2))
    assert first.url.startswith("https://")
    assert engine.about.pages == 1 or first != second


@pytest.mark.parametrize("name", ENGINES)
def test_since_is_asked_of_every_engine_that_knows_it(name: str) -> None:
    since = date.today() - timedelta(days=6)
    ranged, other, without = (
        ENGINES[name].request(EngineQuery("水", since=day), KEYS) for day in (since, since - timedelta(days=20), None)
    )
    assert (ranged != without) == mentions(name, TIME)
    assert (ranged != other) == mentions(name, TIME)
    assert ranged == ENGINES[name].request(EngineQuery("水", since=since), KEYS)  # the same when a run goes on


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("bing", f"ex1%3A%22ez5_20764_{(date.today() - date(1970, 1, 1)).days}%22"),
        ("baidu", "gpc=stf%3D1793980800%2C"),  # midnight in China
        ("google", "tbs=cdr%3A1%2Ccd_min%3A11%2F7%2F2026"),
        ("mojeek", "since=20261107"),
        ("brave_api", "freshness=2026-11-07to"),
        ("commoncrawl", "from=20261107"),
    ],
)
def test_the_day_as_engines_write_it(name: str, part: str) -> None:
    assert part in ENGINES[name].request(EngineQuery("水", since=date(2026, 11, 7)), KEYS).url


@pytest.mark.parametrize("name", ENGINES)
def test_engines_of_all_languages_are_asked_in_one(name: str) -> None:
    engine = ENGINES[name]
    chinese, german = (engine.request(EngineQuery("x", language=language), KEYS) for language in ("zh", "de"))
    assert (chinese != german) == mentions(name, LANGUAGE)
    assert not (mentions(name, LANGUAGE) and engine.about.languages == ("zh",))


NEXT = (
    "<form action='/html/'><input name='q' value='x'><input name='s' value='10'><input name='dc' value='11'>"
    "<input name='vqd' value='4-1'><input name='kl' value='{region}'></form>"
)


def test_duckduckgos_next_page_is_asked_with_its_form() -> None:
    engine = ENGINES["duckduckgo"]
    assert engine.carry
    reply = Reply("https://html.duckduckgo.com/html/", 200, f"<body>{NEXT.format(region='us-en')}".encode())
    carried = engine.carry(reply)
    assert carried == {"q": "x", "s": "10", "dc": "11", "vqd": "4-1", "kl": "us-en"}
    body = engine.request(EngineQuery("x", 2, language="en", carried=carried), {}).body
    assert body == "q=x&s=10&dc=11&vqd=4-1&kl=us-en"


@pytest.mark.parametrize(
    "body", ["", NEXT.replace("4-1", ""), NEXT.format(region="cn-zh"), "<form><input name=s></form>"]
)
def test_duckduckgo_has_no_next_page_without_its_token_or_in_chinese(body: str) -> None:
    engine = ENGINES["duckduckgo"]
    assert engine.carry
    assert engine.carry(Reply("https://html.duckduckgo.com/html/", 200, f"<body><p>x{body}".encode())) == {}


def test_titles_and_snippets_keep_every_word_beside_what_is_marked() -> None:
    body = (
        "<ol id=b_results><li class=b_algo><h2><a href='https://a.example/'>The <b>lake</b> and its water</a></h2>"
        "<p>Said of the <b>lake</b>, now.<style>p{}</style></p></li></ol>"
    )
    (result,) = read_answer(ENGINES["bing"], Reply("https://www.bing.com/search", 200, body.encode())).results
    assert (result.title, result.snippet) == ("The lake and its water", "Said of the lake, now.")


def test_a_page_of_blocks_within_blocks_is_read_in_bounded_time() -> None:
    block = "<li class='res-list'><h3><a href='https://a.example/{n}'>A</a></h3>"
    body = "<ul>" + "".join(block.replace("{n}", str(n)) for n in range(20_000))
    begun = time.process_time()
    answer = read_answer(ENGINES["so360"], Reply("https://www.so.com/s", 200, body.encode()))
    assert len(answer.results) == 500
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    ("name", "block"),
    [
        (
            "yandex",
            "<li class='serp-item serp-item_card'><div><a class='Link OrganicTitle-Link' href='{url}'><h2><span>A</span>"
            "</h2></a></div><span class=OrganicTextContentSpan>said of it</span></li>",
        ),
        (
            "brave",
            "<div class='snippet' data-type='web'><a href='{url}'><div class=title>A</div></a>"
            "<div class=snippet-description>said of it</div></div><div class='snippet' data-type='infobox'>"
            "<a href='https://b.example/'><div class=title>B</div></a></div>",
        ),
        (
            "mojeek",
            "<ul class=results-standard><li><a class=title href='{url}'>A</a><p class=s>said of it</p></li></ul>",
        ),
        (
            "so360",
            "<ul><li class=res-list><h3 class=res-title><a href='https://www.so.com/link?m=x' data-mdurl='{url}'><em>A</em>"
            "</a></h3><p class=res-desc>said of <em>it</em></p></li></ul>",
        ),
    ],
)
def test_layouts_of_which_no_page_is_saved(name: str, block: str) -> None:
    url = "https://a.example/p"
    body = f"<html><body>{block.replace('{url}', url)}</body></html>".encode()
    (result,) = read_answer(ENGINES[name], Reply(f"https://{ENGINES[name].about.host}/s", 200, body)).results
    assert (result.url, result.title, result.snippet) == (url, "A", "said of it")


def test_a_missing_key_is_named() -> None:
    with pytest.raises(KeyMissingError, match="BRAVE_API_KEY"):
        ENGINES["brave_api"].request(EngineQuery("x"), {})


@pytest.mark.parametrize("body", [b"", b"\0" * 100, b"<html>", b"/dev/zero"])
def test_what_only_calls_itself_a_feed_is_no_error_of_ours(body: bytes) -> None:
    reply = Reply("http://some.example/", 200, body, {"content-type": "application/rss+xml"})
    answer = read_answer(ENGINES["rss"], reply)
    assert answer.kind != "results"
    assert "Error" not in answer.reason
