"""`scrapy trend` and `scrapy report`, as people call them."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from analysis import running
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from tests.analysis.delivery.receivers import receiver

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(tmp_path: Path, scrapy: Run) -> Run:
    address = f"sqlite:///{tmp_path}/a.db"
    store = open_store(address)
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    rows = [
        {"key": f"p{hour}", "title": "四川地震通报", "host": "a.example", "url": f"https://a.example/{hour}", "topic": "quake",
         "kind": "article", "published_at": (now - timedelta(hours=hour)).isoformat()}
        for hour in range(1, 40)
    ]  # fmt: skip
    store.upsert(PAGES, rows).result()
    running.run(store)
    store.close()

    return partial(scrapy, STORE=address)


def test_trends(run: Run, tmp_path: Path) -> None:
    out = run("trend", "quake", "--since", "24h")[0]
    assert "pages of quake: 24" in out
    begin, end = re.findall(r"hours from (\S+ \S+) to (\S+ \S+), Asia/Shanghai", out)[0]
    assert datetime.fromisoformat(end) - datetime.fromisoformat(begin) == timedelta(hours=25), (
        "the present hour is not over"
    )
    assert "no burst" in out
    rows = list(csv.DictReader(io.StringIO(run("trend", "quake", "--since", "24h", "--csv")[0])))
    assert sum(int(row["count"]) for row in rows) == 24
    assert json.loads(run("trend", "quake", "--of", "term=地震", "--json")[0])["count"] == 39
    assert "地震" in run("trend", "quake", "--tags")[0]
    assert run("trend", "quake", "--svg", str(tmp_path / "a.svg")) == ("", "", 0)
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_spread_of_an_event(run: Run, tmp_path: Path) -> None:
    facts = json.loads(run("trend", "quake", "--of", "event=p39", "--json")[0])
    key = f"event={facts['event']}"
    assert facts["pages"] >= 1
    assert [each["site"] for each in facts["reports"]] == ["a.example"]
    rows = list(csv.DictReader(io.StringIO(run("trend", "--of", key, "--csv")[0])))
    assert (sum(int(row["pages"]) for row in rows), rows[-1]["sites"]) == (facts["pages"], "1")
    assert "first report" in run("trend", "--of", key)[0]
    assert run("trend", "--of", key, "--svg", str(tmp_path / "e.svg")) == ("", "", 0)
    assert (tmp_path / "e.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "is not of the topic storm" in run("trend", "storm", "--of", key)[1]
    assert "there is no event" in run("trend", "--of", "event=none")[1]


def test_reports(run: Run, tmp_path: Path) -> None:
    assert run("report", "quake", "--out", str(tmp_path / "a.html")) == ("", "", 0)
    assert "39 pages" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert run("report", "quake", "--format", "markdown")[0].startswith("# quake")
    assert [path.name for path in tmp_path.glob("*.html")] == ["a.html"]
    assert "cannot be written" in run("report", "quake", "--out", str(tmp_path / "none" / "a.html"))[1]


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata"])
def test_days_and_times_are_those_of_the_time_zone(run: Run, zone: str) -> None:
    day = datetime.now(ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    first = day.astimezone(UTC).replace(minute=0)  # counts know hours
    out = run("trend", "quake", "--since", f"{day:%Y-%m-%d}", TIME_ZONE=zone)[0]
    assert f"hours from {first.astimezone(day.tzinfo):%Y-%m-%d %H:%M} to " in out
    assert f", {zone}\n" in out
    facts = json.loads(run("trend", "quake", "--since", "24h", "--json", TIME_ZONE=zone)[0])
    spread = json.loads(run("trend", "--of", "event=p39", "--json", TIME_ZONE=zone)[0])
    for written in (facts["from"], *(each["at"] for each in spread["reports"])):
        moment = datetime.fromisoformat(written)
        assert moment.utcoffset() == moment.astimezone(day.tzinfo).utcoffset()
    newest = json.loads(run("analysis", "events", "--format", "jsonl")[0].splitlines()[0])["last_at"]
    shown = f"{datetime.fromisoformat(newest).astimezone(day.tzinfo):%Y-%m-%d %H:%M}"
    assert shown in run("report", "quake", "--format", "markdown", TIME_ZONE=zone)[0]
    assert shown in run("analysis", "events", TIME_ZONE=zone)[0]
    assert "must be a time zone such as Asia/Shanghai, not 'Mars'" in run("report", TIME_ZONE="Mars")[1]


def test_a_report_has_a_paragraph_by_the_model_that_the_settings_name(run: Run) -> None:
    said = json.dumps({"choices": [{"message": {"content": "四川地震通报[1]。"}}]}).encode()
    with receiver(lambda got: (200, said, {})) as web:
        settings = {"LLM_URL": f"{web.url}/v1", "LLM_MODEL": "somemodel", "ALLOW_PRIVATE_ADDRESSES": True}
        text = run("report", "quake", "--format", "markdown", **settings)[0]
        (got,) = web.got
    assert got.values["model"] == "somemodel"
    assert "somemodel" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("trend", "quake", "--since", "soon"), "is not a time span"),
        (("trend", "quake", "--since", "2999-01-01"), "not in the past"),
        (("trend", "quake", "--of", "colour=red"), "write one of host"),
        (("trend", "--of", "event=a", "--tags"), "counts pages"),
        (("trend", "--of", "kind=artikel"), "there is no kind artikel; there are article, list"),
        (("trend", "--of", "mood=bad"), "there is no mood bad; there are positive"),
        (("trend", "a", "b"), "scrapy trend"),
        (("report", "a", "b"), "scrapy report"),
    ],
)
def test_wrong_arguments_get_a_sentence(run: Run, words: tuple[str, ...], sentence: str) -> None:
    out, err, code = run(*words)
    assert (code, out) == (2, "")
    assert sentence in err


@pytest.mark.parametrize("command", ["trend", "report"])
def test_a_misspelt_topic_is_said_and_one_without_pages_has_its_file(run: Run, command: str) -> None:
    out, error, code = run(command, "quaek")
    assert (out, code) == ("", 1)
    assert "There is no topic quaek: no file and no stored page has it. Topics there: " in error
    known = error.rpartition("Topics there: ")[2].strip(" .\n").partition(", ")[0]
    assert run(command, known)[2] == 0


def test_a_report_takes_its_format_from_the_name_of_its_file(run: Run, tmp_path: Path) -> None:
    assert run("report", "quake", "--out", str(tmp_path / "A.DOCX")) == ("", "", 0)
    assert (tmp_path / "A.DOCX").read_bytes().startswith(b"PK")
    assert "no format ends in .doc; there are .html, .htm, .md" in run("report", "quake", "--out", "a.doc")[1]
    assert run("report", "quake", "--format", "html", "--out", str(tmp_path / "a.txt"))[2] == 0
