"""Commands of the guides are run as they stand, on what one crawl stored, but those that need another machine or a crawl."""

import itertools
import re
import shlex
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from testbed.local_server import serving
from tests.test_readme import ROOT, Site, commands, outcome

Scrapy = Callable[..., tuple[str, str, int]]
GUIDES = [path.name for path in sorted((ROOT / "docs").glob("*.md"))]
ELSEWHERE = re.compile(
    r"docker|SCRAPY_PROJECT|--follow|--live|--send|--fetch|labelled|EVENTS_WEIGHTS|scrapy (crawl|schedule|proxies|identities|console"
    r"|extract (https|report)|engines (list|test)|topic learn|source try|watch (why|pin|drop)|alerts (add|show|ack|pause|test))"
)
"""Crawls, servers and receivers: the READMEs' tour and the tests of the commands have them."""
FILES = {
    "article.txt": "5月10日，杭州市政府召开会议。",
    "yes.txt": "http://some.site/tax.html\n",
    "no.txt": "http://some.site/\n",
}
"""What a guide takes as given."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the settings, and a crawl of three pages."""
    folder = tmp_path_factory.mktemp("crawled")
    copytree(ROOT / "settings", folder / "settings")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with serving(Site) as server:
        for command in (f"scrapy crawl site -a urls={folder}/yes.txt -a crawl=CRAWL", "scrapy analysis run"):
            done = outcome(command, folder, f"http://127.0.0.1:{server.server_port}")
            assert done.returncode == 0, done.stderr
    return folder


def names_in(folder: Path) -> dict[str, str]:
    """What stands for the names in capitals, and for addresses that the site has not."""
    with closing(sqlite3.connect(folder / "t.db")) as database:
        events = [event for (event,) in database.execute("SELECT event FROM events ORDER BY event")]
    page = "http://some.site/tax.html"
    addresses = dict.fromkeys(("URL", "https://some.site/a.html", "https://some.site/news/1.html"), page)
    return addresses | {
        "KEY": events[0],
        "4f2a7c19": events[0],
        "OTHER": events[1],
        "PAGE": events[0],
        "NAME": "flood",
        "quake": "tax",
    }


@pytest.mark.parametrize("guide", GUIDES)
def test_commands_of_a_guide_work(
    guide: str, crawled: Path, tmp_path: Path, scrapy: Scrapy, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copy"
    copytree(crawled, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TOPICRAWL_SETTINGS_DIR", str(folder / "settings"))
    names = names_in(folder)
    settings = {"DATA_DIR": str(folder), "STORE": f"sqlite:///{folder}/t.db", "SPIDER_MODULES": ["crawler.spiders"]}
    for line in commands(f"docs/{guide}"):
        if line.startswith("scrapy ") and not ELSEWHERE.search(line):
            words = [_filled(word, names) for word in shlex.split(line.partition(" > ")[0], comments=True)[1:]]
            own = {"STORE": f"sqlite:///{folder}/restored.db", "DATA_DIR": "new/data"} if words[0] == "restore" else {}
            _, said, code = scrapy(*itertools.takewhile("-s".__ne__, words), **settings | own)
            names["DECISION"] = (re.findall(r"decision '(.*?)'", said) or [""])[0]
            assert code == (words[0] == "search" and "0 hits" in said), f"{line}\n{said}"


def _filled(word: str, names: dict[str, str]) -> str:
    return re.sub("|".join(sorted(names, key=len, reverse=True)), lambda name: names[name[0]], word)
