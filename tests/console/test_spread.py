"""The picture of how an event spread: bounded, with its limits told, and any span of it alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from starlette.testclient import TestClient

from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Store, Table
from pipelines.stores.tables import PROPAGATION
from tests.console.conftest import filled
from tests.console.happenings import event, report

MANY, SITES = 900, 20


def fill_one_big_event(store: Store) -> None:
    store.write(rows()).result()


def rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """A report a minute; every fourth one copies the first one, whose site is the third by name."""
    yield EVENTS, event("r0", 5, pages=MANY)
    for number in range(MANY):
        page = {
            "key": f"r{number}",
            "host": f"s{(number + 3) % SITES}.example",
            "title": "t",
            "url": "u",
            "topic": "housing",
        }
        yield MEMBERS, report(page, "r0", 2_000 - number)
        if number % 4 == 1:
            yield PROPAGATION, {"page": f"r{number}", "verdict": "repost", "matched": "r0", "cosine": 0.9}


app_context = filled(fill_one_big_event)


def spread(client: TestClient, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/events/r0{query}").json()["spread"]
    return found


def test_a_big_event_is_drawn_within_bounds_and_says_what_is_left_out(local: TestClient) -> None:
    found = spread(local)
    assert (found["count"], found["is_cut"], found["longest"]) == (600, True, 60.0 * (MANY - 1))
    assert found["lanes"][0] == {"site": "s3.example", "count": 30, "copied": 150}
    assert (len(found["lanes"]), found["rest"]["sites"], found["rest"]["count"]) == (14, 6, 6 * 30)
    assert 1 <= len(found["links"]) <= 150
    assert all(link["from"] == [0, 0] for link in found["links"])
    html = local.get("/events/r0?lang=en")
    assert "Only the first 600 reports of this span are drawn" in html.text
    assert len(html.content) < 60_000


def test_a_span_alone_has_its_own_reports_and_names_sources_outside_it(local: TestClient) -> None:
    found = spread(local, f"?since={850 * 60}&until={860 * 60}")
    assert [row["page"] for row in found["reports"]] == [f"r{number}" for number in range(850, 861)]
    assert (found["is_cut"], found["unlinked"], found["links"]) == (False, 2, [])
    assert {point["kind"] for point in found["points"]} == {"own", "copy"}, (
        "the first one of a span is not the first report"
    )
    html = local.get(f"/events/r0?since={850 * 60}&until={860 * 60}&lang=en").text
    assert 'href="/articles/r850" tabindex="-1"><circle' in html, "a few points are links"
    assert "2 copies are outside the picture" in html
    assert spread(local, "?since=99999999")["count"] <= 1
    assert local.get("/events/r0?since=-1").status_code == 400
