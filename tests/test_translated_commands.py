"""Commands speak Chinese under TOPICRAWL_LANG=zh, but for names, options, addresses and what pages say; else English."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
from scrapy.settings import Settings

from analysis import running
from extractors.links.urls import url_key
from pipelines.stores.alert_tables import ALERT_MESSAGES, ALERTS
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION, URLS
from pipelines.stores.watch_tables import WATCH_SOURCES
from tests.crawler.commands.test_frontier import runner

ROOT = Path(__file__).resolve().parent.parent
HAN = re.compile(r"[\u4e00-\u9fff]")
NAMES = re.compile(
    r"\b(?:scrapy|curl|topicrawl)\b(?: ?[^\s\u4e00-\u9fff，。；：（）]+)*"  # a command line
    r"|`[^`]*`|\"[^\"]*\"|'[^'\n]*'|\[[^\]]*\]|\{[^}]*\}|\S*(?:://|[/=|])\S*|-\S+|\w+:\w\S*"
)
SENTENCE = re.compile(r"[a-z]{2,}(?:[ '-][a-z]{2,})+")
EXAMPLE = re.compile(r"^ +(?:[A-Z_]+=\S+ )?(?:scrapy|curl) .*?(?:  |$)", re.MULTILINE)
PAGE = "https://a.example/1.html"
Run = Callable[..., tuple[str, str, int]]


def english_of(text: str) -> list[str]:
    """The runs of English words in it, without names."""
    return SENTENCE.findall(NAMES.sub(" · ", text))


def commands() -> list[str]:
    rooms = ("crawler", "analysis", "console")
    return sorted(path.stem for room in rooms for path in (ROOT / room / "commands").glob("[!_]*.py"))


def helps(scrapy: Run) -> Iterator[tuple[str, str]]:
    """The help of each command, without its usage, which has names only."""
    for name in commands():
        yield name, scrapy(name, "--help")[0].partition("\n\n")[2]


def test_help_has_no_english_in_chinese(scrapy: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPICRAWL_LANG", "zh")
    found = {name: english_of(text) for name, text in helps(scrapy)}
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_help_has_no_chinese_in_english(scrapy: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPICRAWL_LANG", "en")
    assert [name for name, text in helps(scrapy) if HAN.search(EXAMPLE.sub("", text))] == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small analysed store, with a row of whatever commands show."""
    made, now = tmp_path_factory.mktemp("translated"), datetime.now(UTC).replace(microsecond=0)
    pages = [
        {"key": url_key(f"https://a.example/{hour}.html"), "url": f"https://a.example/{hour}.html", "host": "a.example", "kind": "article",
         "title": f"四川海城发生{hour}级地震", "body": "海城今天发生地震，震感明显。", "topic": "quake", "fetched_at": now.isoformat(),
         "published_at": (now - timedelta(hours=hour)).isoformat(), "published": (now - timedelta(hours=hour)).isoformat(),
         "published_by": "head", "published_precision": "minute"}
        for hour in range(1, 9)
    ]  # fmt: skip
    with closing(open_store(f"sqlite:///{made}/a.db")) as store:
        store.upsert(PAGES, pages).result()
        running.run(store)
        urls = [
            {"key": page["key"], "url": page["url"], "host": "a.example", "state": "fetched", "status": 200}
            for page in pages
        ]
        store.upsert(URLS, urls).result()
        facts = {
            "page": pages[0]["key"],
            "url": PAGE,
            "title": pages[0]["title"],
            "verdict": "repost",
            "matched": pages[1]["key"],
        }
        store.upsert(
            PROPAGATION, [facts, facts | {"page": pages[1]["key"], "matched": "", "verdict": "original", "reposts": 1}]
        ).result()
        alert = {
            "key": f"{now:%Y%m%dT%H%M%S}-1",
            "rule": "quiet",
            "kind": "silent",
            "state": "open",
            "begin": now.isoformat(),
        }
        said = {
            "title": "Silent: a.example",
            "text": "Nothing new for long",
            "facts": {"site": "a.example", "expected": 3.0},
        }
        store.upsert(ALERTS, [alert | said | {"size": 3.0}]).result()
        store.upsert(
            ALERT_MESSAGES, [{"key": "1", "alert": alert["key"], "channel": "desk", "state": "waiting"}]
        ).result()
        source = {
            "crawl": "watch",
            "key": url_key(PAGE),
            "url": PAGE,
            "host": "a.example",
            "kind": "list",
            "state": "watched",
        }
        store.upsert(WATCH_SOURCES, [source]).result()
    (made / "plan.yaml").write_text(
        "jobs:\n  day: {spider: site, arguments: {url: 'https://a.example/'}, cron: '0 3 * * *'}\n", "utf-8"
    )
    (made / "page.html").write_text(
        "<title>地震</title><article><h1>地震</h1><p>海城今天发生地震，震感明显，没有伤亡。</p></article>", "utf-8"
    )
    return made


CALLS = (
    "search 地震", "search 海啸地铁", "search 地震 --count day", "analysis run", "analysis events", f"analysis event {url_key(PAGE)}",
    "analysis read {folder}/page.html", "trend quake", "trend quake --tags", "alerts", "alerts history", "alerts messages",
    "alerts check", "alerts show none", "export --columns title", "prune --before 1h --dry-run", "prune --before 900d --yes",
    "forget --before 1h --dry-run", "frontier status", "settings", "site check", "source list", "engines list", "engines test bing",
    "titles check 地震 地震", "titles rebuild", f"titles explain {PAGE}", "topic show", "topic show tax", "watch status --all",
    f"watch why {PAGE}", f"watch pin {PAGE} 5", f"why {PAGE}", "why https://b.example/", "schedule check {folder}/plan.yaml",
    "backup {folder}/all.zip", "restore {folder}/all.zip", f"evidence {PAGE} -o {{folder}}/one.zip", "evidence --verify {folder}/one.zip",
    "reread", "identities list", "extract {folder}/page.html", "extract {folder}/page.html --method records",
    "topic why tax {folder}/page.html",
)  # fmt: skip


def printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[str, str]]:
    """What each call prints, for the person and as its result."""
    settings = Settings({"STORE": f"sqlite:///{folder}/a.db", "DATA_DIR": str(folder)})
    settings.setmodule("settings.base", "default")
    for call in CALLS:
        name, *words = call.format(folder=folder).split()
        _, out, err = runner(import_module(f"console.commands.{name}").Command, settings.copy(), capsys)(*words)
        yield call, f"{out}\n{err}"


def test_output_has_no_english_in_chinese(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPICRAWL_LANG", "zh")
    found = {call: english_of(text) for call, text in printed(folder, capsys)}
    assert {call: texts for call, texts in found.items() if texts} == {}
