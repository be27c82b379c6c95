"""Events and what people decide about them, which the next analysis applies."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from analysis.events.store import decide
from analysis.events.store.decisions import undo
from console.frame.app_context import AppContext
from pipelines.stores.analysis_tables import EVENT_DECISIONS
from pipelines.stores.people_tables import DECISIONS
from tests.console.conftest import LogIn, MakeAppContext, all_parts, browser, filled, send
from tests.console.filling import ATTACK, fill, page
from tests.console.happenings import EVIL, fill_events

KEY = page(5, "host2.example")["key"]
COPY = page(2, "host2.example")["key"]
THIRD = page(7, "host1.example")["key"]
app_context = filled(fill, fill_events)


def rows(client: TestClient, query: str = "") -> list[dict[str, Any]]:
    answer = client.get(f"/api/events{query}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["rows"]
    return found


def decided(app_context: AppContext) -> list[tuple[str, str, str, bool]]:
    found = sorted(app_context.store.select(EVENT_DECISIONS), key=lambda row: row["key"])
    return [(row["action"], row["other"], row["value"], bool(row["undone_at"])) for row in found]


def test_parts_of_the_list_join(local: TestClient) -> None:
    for sort in ("last", "first", "sites", "growth"):
        seen = [row["event"] for row in all_parts(local, "/api/events", sort=sort)[0]]
        assert len(seen) == len(set(seen)) == 62


@pytest.mark.parametrize(
    ("query", "count"),
    [("q=第5件", 1), ("pages=3", 2), ("place=上海&q=首付", 1), ("topic=none", 0), ("state=quiet", 0), ("state=dropped", 0),
     ("from=2026-11-23", 0)],
)  # fmt: skip
def test_filters_hold(local: TestClient, query: str, count: int) -> None:
    assert len(rows(local, f"?{query}")) == count


def test_an_event_has_facts_with_sentences_first_report_copies_curve_digest_and_mood(local: TestClient) -> None:
    found = local.get(f"/api/events/{KEY}").json()
    assert [(each["kind"], each["sentence"], each["site"]) for each in found["facts"]][2] == (
        "who",
        "局长王建国表示",
        "host2.example",
    )
    reports = found["spread"]["reports"]
    assert [(each["kind"], each["source"]) for each in reports] == [("first", ""), ("copy", KEY), ("own", "")]
    assert sum(bar["count"] for bar in found["curve"]["bars"]) == 3
    assert found["curve"]["unit"] == "hour"
    assert all("正文" in each["text"] and each["page"] in (KEY, THIRD) for each in found["digest"])
    assert found["mood"]["total"] == sum(row["count"] for row in found["mood"]["rows"]) == 30
    html = local.get(f"/events/{KEY}?lang=en").text
    assert 'class="pt copy"' in html
    assert "event=" + KEY in html


def test_a_bar_of_the_curve_leads_to_its_articles(local: TestClient) -> None:
    bars = local.get(f"/api/events/{KEY}").json()["curve"]["bars"]
    hour = next(bar["at"][:13] for bar in bars if bar["count"])
    found = local.get("/api/articles", params={"event": KEY, "at": hour}).json()["rows"]
    assert [row["key"] for row in found] == [KEY]
    assert len(local.get("/api/articles", params={"event": KEY}).json()["rows"]) == 3
    assert local.get("/articles?at=x").status_code == 400


def test_an_article_leads_to_its_event_unless_it_is_alone(local: TestClient) -> None:
    assert f'href="/events/{KEY}"' in local.get(f"/articles/{COPY}").text
    assert "/events/" not in local.get(f"/articles/{page(8, 'host2.example')['key']}").text.partition("<main")[2]


def test_decisions_are_rows_with_an_undo(app_context: AppContext, local: TestClient) -> None:
    path = f"/events/{KEY}"
    assert send(local, f"{path}/rename", name="新名称").status_code == 303
    assert send(local, f"{path}/merge", other=f"http://127.0.0.1/events/{EVIL}?lang=en").status_code == 303
    assert send(local, f"{path}/split", pages=[COPY, THIRD]).status_code == 303
    assert send(local, f"{path}/drop").status_code == 303
    made = [
        ("rename", "", "新名称", False),
        ("merge", EVIL, "", False),
        ("split", COPY, "", False),
        ("split", THIRD, COPY, False),
    ]
    assert decided(app_context) == [*made, ("drop", "", "", False)]
    assert "下次分析时生效" in local.get(path).text
    for row in [row for row in app_context.store.select(DECISIONS) if row["action"] in ("event.merge", "event.split")]:
        assert send(local, f"/decisions/{row['key']}/undo").status_code == 303
    assert [each[3] for each in decided(app_context)] == [False, True, True, True, False]
    standing = next(row["key"] for row in app_context.store.select(EVENT_DECISIONS) if row["action"] == "drop")
    assert send(local, f"{path}/undo", decision=standing).status_code == 303
    assert send(local, f"{path}/undo", decision=standing).status_code == 409
    assert decided(app_context)[-1][3]


def test_the_page_of_an_event_says_how_far_its_topic_has_moved(app_context: AppContext, local: TestClient) -> None:
    topic = local.get(f"/api/events/{KEY}").json()["event"]["topic"]
    learned = {"action": "merge", "topic": topic, "since": "2026-05-10", "nearness": 0.85, "undone_at": ""}
    for _ in range(6):
        decide(app_context.store, "merge", KEY, EVIL)
    app_context.store.change(EVENT_DECISIONS, [], learned).result()
    assert local.get(f"/api/events/{KEY}").json()["limit"] == {"share": 0.9117, "corrections": 6}
    assert (
        "6 merges and splits of this topic moved the similarity for one event to 0.91"
        in local.get(f"/events/{KEY}?lang=en").text
    )
    for row in app_context.store.select(EVENT_DECISIONS):
        undo(app_context.store, row["key"])
    assert 'id="limit"' not in local.get(f"/events/{KEY}").text


def test_both_halves_are_shown_before_a_split(app_context: AppContext, local: TestClient) -> None:
    found = local.get(f"/api/events/{KEY}/halves?pages={COPY}").json()
    assert [row["page"] for row in found["leaving"]["rows"]] == [COPY]
    assert [row["page"] for row in found["staying"]["rows"]] == [KEY, THIRD]
    assert (found["leaving"]["sites"], found["staying"]["pages"], found["staying"]["sites"]) == (1, 2, 2)
    assert [(each["page"], each["source"]) for each in found["torn"]] == [(COPY, KEY)]
    html = local.get(f"/events/{KEY}/halves?pages={COPY}&pages={THIRD}&lang=en").text
    assert f'name="pages" value="{COPY} {THIRD}"' in html
    assert decided(app_context) == []
    assert "Tick the reports" in local.get(f"/events/{KEY}/halves?lang=en").text
    assert local.get(f"/events/{KEY}/halves?pages={EVIL}").status_code == 409


def test_an_undo_leads_back_to_the_event(app_context: AppContext, local: TestClient) -> None:
    made = send(local, f"/events/{KEY}/drop")
    html = local.get(made.headers["location"]).text
    assert f'name="where" value="/events/{KEY}"' in html
    (row,) = app_context.store.select(DECISIONS)
    undone = send(local, f"/decisions/{row['key']}/undo", where=f"/events/{KEY}")
    assert undone.headers["location"].startswith(f"/events/{KEY}?")


@pytest.mark.parametrize(
    ("action", "fields", "status"),
    [("merge", {"other": KEY}, 409), ("merge", {"other": "none"}, 404), ("split", {"pages": EVIL}, 409),
     ("split", {"pages": f"{KEY} {COPY} {THIRD}"}, 409), ("rename", {"name": " "}, 400)],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(
    app_context: AppContext, local: TestClient, action: str, fields: dict[str, str], status: int
) -> None:
    assert send(local, f"/events/{KEY}/{action}", **fields).status_code == status
    assert decided(app_context) == []


def test_viewers_decide_nothing(log_in: LogIn) -> None:
    viewer = log_in("viewer")
    assert f"/events/{KEY}/drop" not in viewer.get(f"/events/{KEY}").text
    assert send(viewer, f"/events/{KEY}/drop").status_code == 403


def test_hostile_text_is_text_and_what_is_not_there_is_404(local: TestClient) -> None:
    for path in ("/events", f"/events/{EVIL}", f"/events?q={ATTACK[:20]}"):
        html = local.get(path).text
        assert "<img" not in html, path
        assert 'href="javascript:' not in html
    assert local.get("/events/none").status_code == 404
    assert "=" not in local.get("/events.csv?pages=3").text.splitlines()[1][:1]


def test_an_empty_store_says_what_to_do(make: MakeAppContext) -> None:
    assert "scrapy analysis run" in browser(make()).get("/events").text
