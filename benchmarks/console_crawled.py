"""A store for pictures of the console: what crawls and a watch of a served web, the analysis and its alerts have written.

The web is the simulated one, with its clock set so that its fourth day begins now. What it has no part in is added: the queries of a
meta-search, and three people with their decisions.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from scrapy.settings import Settings
from starlette.testclient import TestClient

from benchmarks.console_collecting import made_queries
from console.access.people import Role
from console.app import make_app
from console.config import read_config
from console.frame.app_context import AppContext, make_app_context, utc_now
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Condition, Order, Row, Store, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION, RUNS, SITES, TERMS, URLS
from testbed.scrapyd import scrapyd_in
from testbed.served_web import REPOSITORY, SHARED, free_port
from testbed.servers import wait_until

PERSON, PASSWORD = "anna", "a long line of words"
_SERVER = """
import sys
from datetime import datetime, timedelta
sys.path.insert(0, sys.argv.pop(1))
import living_web
living_web.EPOCH = datetime.now(living_web.CST).replace(microsecond=0) - timedelta(days=3)
living_web.main()
"""
_DAYS, _SITES = 3, 24
_WATCH_SECONDS = 40
_NODE_SITE = 9
"""The start page that is left for the node: a site with many pages of the topic, which the crawls before it do not read."""
_SAME = ("DATA_DIR", "STORE", "TOPICRAWL_SETTINGS_DIR")
_ALERTS = """timezone: Asia/Shanghai
rules:
  markets: {kind: event, topic: finance, sites: 3, hours: 24}
  funds: {kind: term, topic: finance, term: 基金, count: 5, hours: 6}
  burst: {kind: burst, topic: finance}
  silence: {kind: silent, expected: 10, hours: 12}
"""
_PLAN = """timezone: Asia/Shanghai
jobs:
  finance-sites:  # the home pages, every three hours
    spider: site
    cron: "0 */3 * * *"
    arguments: {url: http://kangming00.test/, topic: finance}
  finance-search:
    spider: metasearch
    cron: "30 6 * * *"
    arguments: {topic: finance, pages: 2}
    missed: skip
"""


@contextmanager
def crawled_desk(folder: Path, pages: int) -> Iterator[AppContext]:
    """The context of a console on the store of local crawls and of one on a node. Takes three minutes."""
    settings = _settings(folder)
    same = {name: settings[name] for name in _SAME}
    with (
        _served() as (proxy, seeds),
        scrapyd_in(folder, same | {"FRONTIER_HOST_DELAY": 1.0, "PROGRESS_SECONDS": 1.0}, proxy) as node,
    ):
        os.environ["SCRAPYD_NODES"] = node
        left = seeds.pop(_NODE_SITE)
        _collect(settings, proxy, seeds, folder / "seeds.txt", pages)
        app_context = make_app_context(open_store(settings["STORE"]), settings, read_config(settings), utc_now)
        with closing(app_context.store):
            app_context.store.write([*made_queries(utc_now()), *_proposed(app_context.store)]).result()
            _decide(app_context, left)
            wait_until(lambda: bool(_on_node(app_context.store)["pages"]), "the crawl on the node")
            yield app_context
            _post(_logged_in(app_context, PERSON), "/runs/stop", job=_on_node(app_context.store)["job"])
            wait_until(lambda: bool(_on_node(app_context.store)["finished"]), "the end of the crawl on the node")


def _on_node(store: Store) -> Row:
    """The run on the node; while there is none, one without pages."""
    rows = store.select(RUNS, [Condition("job", "!=", "")], limit=1, columns=["job", "pages", "finished"])
    return next(rows, {"job": "", "pages": 0, "finished": ""})


def _collect(settings: Settings, proxy: str, seeds: list[str], start: Path, pages: int) -> None:
    """Crawl, watch, expand the topic, analyse."""
    start.write_text("\n".join(seeds), encoding="utf-8")
    same = [f"urls={start}", "topic=finance", "crawl=finance-sites"]
    for limit in (pages // 3, pages):  # the second goes on where the first has ended
        _scrapy(settings, proxy, "crawl", "site", *_given(*same, f"max_pages={limit}"))
    watched = ("crawl", "watch", *_given(f"url={seeds[0]}", "topic=finance"))
    _scrapy(settings, proxy, *watched, "-s", f"CLOSESPIDER_TIMEOUT={_WATCH_SECONDS}")
    _scrapy(settings, "", "topic", "expand", "finance")
    for _ in range(2):  # the alerts of the second look at all that the first has made of the pages
        _scrapy(settings, "", "analysis", "run")


def _proposed(store: Store) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """The hosts with the numbers of their pages, as a meta-search proposes them."""
    pages, relevant = Counter[str](), Counter[str]()
    for row in store.select(PAGES, columns=["host", "relevance"]):
        pages[row["host"]] += 1
        relevant[row["host"]] += (row["relevance"] or 0) >= 0.5
    for host, count in pages.most_common(12):
        yield SITES, {
            "crawl": "metasearch-finance", "host": host, "home": f"http://{host}/", "state": "proposed", "reason": "", "pages": count,
            "relevant": relevant[host], "sitemaps": [], "feeds": [],
        }  # fmt: skip


def _settings(folder: Path) -> Settings:
    """Everything in the folder: the store, the plan, and a folder of settings with a topic and rules for alerts."""
    own = folder / "settings"
    (own / "topics").mkdir(parents=True)
    topic = Path(__file__).parent / "topics" / "finance.yaml"
    (own / "topics" / topic.name).write_text(topic.read_text(encoding="utf-8"), encoding="utf-8")
    (own / "alerts.yaml").write_text(_ALERTS, encoding="utf-8")
    (folder / "schedule.yaml").write_text(_PLAN, encoding="utf-8")
    settings = Settings()
    settings.setmodule("settings.base")
    settings.update(
        {"DATA_DIR": str(folder), "STORE": f"sqlite:///{folder}/crawl.db", "TOPICRAWL_SETTINGS_DIR": str(own),
         "SCHEDULE_FILE": str(folder / "schedule.yaml")},
        priority="cmdline",
    )  # fmt: skip
    return settings


def _scrapy(settings: Settings, proxy: str, *words: str) -> None:
    """Run a command of the product on this store; SystemExit with its last lines if it fails."""
    given = [f"{name}={settings[name]}" for name in _SAME] + ["FRONTIER_HOST_DELAY=0.05", "LOG_LEVEL=INFO"]
    command = [sys.executable, "-m", "scrapy", *words, *(part for each in given for part in ("-s", each))]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run(
        command, cwd=REPOSITORY, env=environment | {"http_proxy": proxy}, capture_output=True, text=True
    )
    print(f"scrapy {' '.join(words[:3])}: exit code {done.returncode}", file=sys.stderr, flush=True)
    if done.returncode not in (0, 3, 4):
        raise SystemExit(done.stderr[-2_000:])


def _given(*arguments: str) -> list[str]:
    return [part for each in arguments for part in ("-a", each)]


@contextmanager
def _served() -> Iterator[tuple[str, list[str]]]:
    """The address of the web, three days old, and its start pages."""
    port, tools = free_port(), SHARED / "tools"
    if not (tools / "living_web.py").exists():
        raise SystemExit(f"The simulator {tools}/living_web.py is not there; --made makes pictures without it")
    arguments = ("--seed", 24, "--speed", 1, "--port", port, "--sites", _SITES, "--days", _DAYS + 1)
    texts = ("--texts", SHARED / "data/living-texts.jsonl.gz")
    command = [sys.executable, "-c", _SERVER, str(tools), *map(str, (*arguments, *texts))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            if process.stdout is None or "sites at" not in process.stdout.readline():
                raise SystemExit("The simulator did not start")
            _control(port, "start")
            _control(port, f"advance?s={_DAYS * 86_400}")
            yield f"http://127.0.0.1:{port}", _control(port, "seeds").split()
        finally:
            process.terminate()


def _control(port: int, order: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}/__control/{order}") as answer:
        return str(answer.read().decode())


def _decide(app_context: AppContext, url: str) -> None:
    """Accounts, and a few decisions as their forms make them; one starts a crawl from this address."""
    for name, role in ((PERSON, Role.ADMIN), ("bo", Role.ANALYST), ("chen", Role.VIEWER)):
        app_context.people.add(name, role, PASSWORD)
    clients = {name: _logged_in(app_context, name) for name in (PERSON, "bo")}
    for name, path, fields in _decisions(app_context, url):
        if (status := _post(clients[name], path, **fields)) != 303:
            print(f"{path}: {status}", file=sys.stderr)


def _decisions(app_context: AppContext, url: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """By whom, where, and the fields of the form."""
    store = app_context.store
    waiting = [Condition("topic", "=", "finance"), Condition("state", "=", "candidate")]
    words = [row["word"] for row in store.select(TERMS, waiting, [Order("score", True)], 9, ["word"])]
    same = {"topic": "finance", "was": "candidate"}
    yield PERSON, "/terms/accept", same | {"words": "\n".join(words[:6])}
    yield "bo", "/terms/reject", same | {"words": "\n".join(words[6:])}
    yield PERSON, "/runs/start", {"spider": "site", "url": url, "topic": "finance", "max_pages": "200"}
    for row in store.select(SITES, limit=2, columns=["crawl", "host", "state"]):
        yield "bo", "/sites/let_in", {"crawl": row["crawl"], "host": row["host"], "was": row["state"]}
    yield PERSON, "/terms/add", {"topic": "finance", "word": "可转债", "class": "professional"}
    for row in store.select(URLS, [Condition("state", "=", "failed")], limit=1, columns=["host"]):
        yield PERSON, "/urls/exclude", {"host": row["host"]}
    for row in store.select(PROPAGATION, [Condition("verdict", "=", "suspected")], limit=1, columns=["page"]):
        yield "bo", "/titles/same", {"page": row["page"]}
    for row in store.select(ALERTS, order=[Order("key")], limit=2, columns=["key"]):
        yield "bo", "/today/seen", {"alert": row["key"]}


def _logged_in(app_context: AppContext, name: str) -> TestClient:
    client = TestClient(make_app(app_context), base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1))
    _post(client, "/login", user=name, password=PASSWORD)
    return client


def _post(client: TestClient, path: str, **fields: str) -> int:
    """The status of the answer."""
    html = client.get("/login" if path == "/login" else "/articles").text
    token = html.partition('name="form_token" value="')[2].partition('"')[0]
    origin = {"Origin": str(client.base_url).rstrip("/")}
    answer = client.post(path, data={"form_token": token, **fields}, headers=origin, follow_redirects=False)
    return answer.status_code
