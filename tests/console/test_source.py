"""A source's page: what it brings, how fast, who copies whom, and its gaps."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from pipelines.stores.base import Store, Table
from pipelines.stores.tables import PAGES, PROPAGATION
from tests.console.conftest import all_parts, filled
from tests.console.filling import at

HOST, OTHER = "a.example", "b.example"


def fill_a_source(store: Store) -> None:
    store.write(rows()).result()


def rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """Five pages, an hour apart, each found ten minutes late; the first is copied by another host, the last copies that host."""
    for number in range(5):
        minutes = 600 - 60 * number
        yield PAGES, {
            "key": f"a{number}", "host": HOST, "url": f"https://{HOST}/{number}", "title": f"第{number}页", "kind": "article",
            "topic": "housing", "published_at": at(minutes), "published_precision": "minute", "first_seen": at(minutes - 10),
            "fetched_at": at(minutes - 10), "counted_at": at(minutes),
        }  # fmt: skip
    yield PAGES, {"key": "b0", "host": OTHER, "url": f"https://{OTHER}/0", "title": "t", "fetched_at": at(5)}
    for page, site, verdict, source in (
        ("a0", HOST, "original", ""), ("b0", OTHER, "repost", "a0"), ("b1", OTHER, "original", ""), ("a4", HOST, "repost", "b1"),
    ):  # fmt: skip
        yield PROPAGATION, {"page": page, "site": site, "verdict": verdict, "matched": source, "story": source or page}
    for back, own in ((6, 2), (5, 0), (4, 0), (3, 1), (2, 0), (1, 3)):
        for number in range(5):
            host, age = HOST if number < own else OTHER, 24 * 60 * back + number
            yield PAGES, {"key": f"d{back}-{number}", "host": host, "fetched_at": at(90_000), "counted_at": at(age)}


app_context = filled(fill_a_source)


def test_a_source_has_days_gaps_delay_and_who_copies_whom(local: TestClient) -> None:
    found = local.get(f"/api/sites/source?host={HOST}&zone=UTC").json()
    assert (found["count"], found["looked"], found["topics"]) == (11, 11, [{"name": "housing", "count": 5}])
    assert [gap["days"] for gap in found["gaps"]] == [1, 2], "the latest first; days without any collecting are none"
    assert sum(day["count"] for day in found["days"]) == 11
    assert (found["delay"]["count"], found["delay"]["median"]) == (4, 600.0), "the first one was there before"
    assert found["copied"] == {"count": 1, "times": 1, "sites": [{"name": OTHER, "count": 1}]}
    assert found["copies"] == {"count": 1, "sites": [{"name": OTHER, "count": 1}]}
    html = local.get(f"/sites/source?host={HOST}&lang=en").text
    assert "median 10 min 0 s" in html
    assert f'href="/sites/source?host={OTHER}"' in html


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "Asia/Shanghai", "America/St_Johns"])
def test_each_day_is_that_of_its_list_in_any_zone(local: TestClient, app_context: AppContext, zone: str) -> None:
    ages = [15 * number for number in range(4 * 60)]
    rows = [
        {"key": f"z{age}", "host": HOST, "title": "t", "fetched_at": at(age), "counted_at": at(age)} for age in ages
    ]
    app_context.store.upsert(PAGES, rows).result()
    days = local.get(f"/api/sites/source?host={HOST}&zone={zone}").json()["days"]
    for day in days[-4:]:
        span = {"from": day["day"], "to": day["day"], "host": HOST, "copies": "1", "sort": "published", "zone": zone}
        assert len(all_parts(local, "/api/articles", **span)[0]) == day["count"]


def test_hosts_lead_to_their_page_and_an_unknown_one_has_none(local: TestClient) -> None:
    assert f'href="/sites/source?host={HOST}"' in local.get("/articles").text
    assert local.get("/sites/source?host=nowhere.example").status_code == 404
    assert local.get("/sites/source").status_code == 404
