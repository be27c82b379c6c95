"""What the counts say of words, topics, places and people; nothing is read but counts."""

import pytest
from starlette.testclient import TestClient

from tests.console.conftest import MakeAppContext, browser, filled
from tests.console.filling import ATTACK, fill
from tests.console.happenings import fill_events

app_context = filled(fill, fill_events)


def test_days_and_weeks_add_up_and_have_shares(local: TestClient) -> None:
    for by, counts in (("day", [3, 0, 5]), ("week", [8])):
        found = local.get(
            f"/api/trend?of=首付、topic:housing&by={by}&from=2026-11-20&to=2026-11-22&topic=housing"
        ).json()
        assert found["lines"][0]["counts"] == counts
        assert found["lines"][0]["kind"] == "term"
        assert found["lines"][0]["shares"][-1] == pytest.approx(counts[-1] / found["totals"][-1], abs=1e-5)
        assert [each["kind"] for each in found["lines"]] == ["term", "topic"]
    assert found["is_small"]


def test_days_are_those_of_the_reader(local: TestClient) -> None:
    query = "/api/trend?of=首付&from=2026-11-20&to=2026-11-23&topic=housing&zone="
    assert local.get(f"{query}Asia/Shanghai").json()["lines"][0]["counts"] == [3, 0, 5, 0]
    assert local.get(f"{query}Pacific/Honolulu").json()["lines"][0]["counts"] == [0, 5, 0, 0]


def test_without_a_wish_the_leading_words_are_compared_and_lead_to_articles(local: TestClient) -> None:
    found = local.get("/api/trend").json()
    assert [each["name"] for each in found["lines"]] == ["首付", ATTACK]
    assert found["cloud"]["tags"][0] == {"text": "首付", "kind": "term", "count": 8, "change": 8, "is_exact": True}
    html = local.get("/trend?lang=en").text
    assert "not sampled" in html
    assert found["cloud"]["pages"] == sum(found["totals"]) == 12, "a page of a topic counts once among all"
    assert local.get("/api/trend?topic=housing").json()["cloud"]["pages"] == 12
    assert "from=2026-11-22&amp;to=2026-11-22" in html


def test_a_young_store_is_shown_from_its_beginning_and_not_compared_with_what_was_not_collected(
    local: TestClient,
) -> None:
    found = local.get("/api/trend?of=首付&topic=housing").json()
    assert (found["from"], found["to"], found["has_before"]) == ("2026-11-16", "2026-11-22", False)
    assert (found["lines"][0]["change"], found["cloud"]["has_before"]) == (None, False)
    assert "too little to compare" in local.get("/trend?lang=en").text
    day = local.get("/api/trend?of=首付&topic=housing&from=2026-11-22").json()
    assert (day["has_before"], day["lines"][0]["before"], day["lines"][0]["change"]) == (True, 0, None), "none before"


def test_the_axis_ends_at_a_round_number(local: TestClient) -> None:
    assert local.get("/api/trend?of=首付&topic=housing").json()["tops"] == {"counts": 6, "shares": 0.8}


def test_at_most_five_are_compared(local: TestClient) -> None:
    assert len(local.get("/api/trend?of=a,b,c,d,e,f").json()["lines"]) == 5


@pytest.mark.parametrize(
    "query", ["from=2020-01-01", "from=2026-11-22&to=2026-11-20", "from=0001-01-01&to=0001-01-02", "by=hour"]
)
def test_a_wrong_filter_is_named(local: TestClient, query: str) -> None:
    assert local.get(f"/api/trend?{query}").status_code == 400
    assert local.get(f"/trend?{query}").status_code == 400


def test_the_export_has_every_count(local: TestClient) -> None:
    lines = local.get("/trend.csv?of=首付&from=2026-11-20&to=2026-11-22&topic=housing").text.splitlines()
    assert len(lines) == 4
    assert lines[1].startswith("2026-11-20,首付,term,3,")


def test_an_empty_store_says_what_to_do(make: MakeAppContext) -> None:
    assert "scrapy analysis run" in browser(make()).get("/trend").text


def test_hostile_words_are_text(local: TestClient) -> None:
    html = local.get("/trend", params={"of": ATTACK[:200]}).text
    assert "<img" not in html
    assert 'href="javascript:' not in html
