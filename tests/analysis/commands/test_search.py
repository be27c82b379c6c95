"""`scrapy search` and `scrapy analysis run`, as people call them."""

import csv
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(tmp_path: Path, scrapy: Run) -> Run:
    address = f"sqlite:///{tmp_path}/a.db"
    store = open_store(address)
    rows = [
        {"key": f"p{number}", "title": f"地铁{number}号线开通", "body": "市民免费乘坐。\x1b[31m", "host": f"h{number % 2}.example",
         "url": f"https://h.example/{number}", "kind": "article", "published_at": f"2026-11-0{number + 1}T08:00:00+00:00"}
        for number in range(5)
    ]  # fmt: skip
    store.upsert(PAGES, rows).result()
    store.close()

    return partial(scrapy, STORE=address)


def test_pages_that_were_stored_before_are_found_after_a_run(run: Run) -> None:
    assert run("search", "地铁") == ("", "There is no search index yet: run scrapy analysis run.\n", 1)
    for pages in (5, 0):
        out, err, code = run("analysis", "run")
        assert (out, err.splitlines()[-1], code) == ("", f"{pages} pages analysed", 0)
    out, err, code = run("search", "地铁", "免费", "--limit", "2")
    assert (code, out.count("https://")) == (0, 2)
    assert "市民«免费»乘坐" in out
    assert "\x1b" not in out
    assert err.startswith("5 hits in ")


def test_hits_are_written_for_programs_and_counted(run: Run) -> None:
    run("analysis", "rebuild")
    lines = run("search", "地铁", "--format", "jsonl", "--limit", "0", "--host", "h1.example")[0].splitlines()
    assert sorted(json.loads(line)["page"] for line in lines) == ["p1", "p3"]
    rows = list(csv.DictReader(io.StringIO(run("search", "title:开通", "--format", "csv", "--since", "2026-11-04")[0])))
    assert {row["at"][:10] for row in rows} == {"2026-11-04", "2026-11-05"}
    assert run("search", "地铁", "--count", "host", "--format", "csv")[0] == "host,hits\nh0.example,3\nh1.example,2\n"
    assert run("search", "地铁", "--count", "day", "--format", "csv")[0].splitlines()[1] == "2026-11-01,1"
    assert len(run("search", "地铁", "--format", "jsonl", "--limit", "2", "--offset", "4")[0].splitlines()) == 1


def test_days_are_those_of_the_time_zone(run: Run) -> None:
    store = open_store(run.keywords["STORE"])  # type: ignore[attr-defined]
    store.upsert(
        PAGES,
        [
            {
                "key": "late",
                "title": "夜班地铁",
                "url": "https://h.example/late",
                "published_at": "2026-11-07T18:00:00+00:00",
            }
        ],
    )
    store.close()
    run("analysis", "run")
    assert "\n  2026-11-08  " in run("search", "夜班")[0], "it was two o'clock at night in Shanghai"
    assert "\n  2026-11-07  " in run("search", "夜班", TIME_ZONE="UTC")[0]
    assert (
        run("search", "夜班", "--since", "2026-11-08", "--count", "day", "--format", "csv")[0]
        == "day,hits\n2026-11-08,1\n"
    )
    assert run("search", "夜班", "--since", "2026-11-08", TIME_ZONE="UTC")[2] == 1


def test_a_search_without_hits_says_why(run: Run) -> None:
    run("analysis", "run")
    _, err, code = run("search", "地铁", "kind:nothing")
    assert code == 1
    assert 'without  kind:"nothing": 5 hits' in err


def test_wrong_queries_and_options_get_a_sentence(run: Run) -> None:
    run("analysis", "run")
    for words, sentence in (
        (["地铁", "("], "a word is missing"), ([], "the query is empty"), (["地铁", "--limit", "-1"], "must not be negative"),
        (["地铁", "--since", "soon"], "is not a time"), (["地铁", "--nonsense"], "unknown: --nonsense"),
    ):  # fmt: skip
        _, err, code = run("search", *words)
        assert sentence in err
        assert "Traceback" not in err
        assert code in (1, 2)


def test_no_cell_of_hits_or_events_runs_as_a_formula(run: Run, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/a.db")
    title = '=HYPERLINK("https://evil.example","地铁开通")'
    rows = [{"key": f"f{n}", "title": title, "url": f"https://f{n}.example/", "host": f"f{n}.example", "kind": "article",
             "published_at": "2026-11-09T08:00:00+00:00"} for n in range(2)]  # fmt: skip
    store.upsert(PAGES, rows).result()
    store.close()
    run("analysis", "rebuild")
    for words in (
        ("search", "HYPERLINK", "--format", "csv"),
        ("analysis", "events", "--format", "csv", "--pages", "1"),
    ):
        cells = [cell for row in csv.reader(io.StringIO(run(*words)[0])) for cell in row]
        assert any("HYPERLINK" in cell for cell in cells)
        assert not [cell for cell in cells if cell.startswith("=")]
