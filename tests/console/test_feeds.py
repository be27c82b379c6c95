"""Feeds of lists: an address that a person makes and revokes opens one list, in measure, and nothing else."""

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from console.frame.html_rendering import own_first
from pipelines.stores.people_tables import API_TOKENS, USERS
from tests.console.alerting import fill_alerts
from tests.console.conftest import PASSWORD, LogIn, MakeAppContext, browser, filled, send
from tests.console.filling import ATTACK, fill
from tests.console.happenings import fill_events

ATOM = "{http://www.w3.org/2005/Atom}"
app_context = filled(fill, fill_events, fill_alerts)


def made(client: TestClient, name: str = "articles", query: str = "") -> str:
    """The path of a new feed, without its kind."""
    html = send(client, "/mine/feed", "/mine", list=name, query=query, label=f"L {name}").text
    return re.findall(r"(/feeds/tc_[\w-]+)\.atom", html)[0]


def test_a_list_is_a_feed_in_two_formats_with_its_filters(app_context: AppContext, log_in: LogIn) -> None:
    client, reader = log_in("viewer"), browser(app_context)
    for name in ("articles", "events", "alerts"):
        path = made(client, name)
        atom = fromstring(reader.get(f"{path}.atom").content)
        entries = atom.findall(f"{ATOM}entry")
        items = reader.get(f"{path}.json").json()["items"]
        assert len(entries) == len(items) > 2, name
        assert [each.findtext(f"{ATOM}id") for each in entries] == [item["id"] for item in items]
    path = made(client, "articles", "host=host2.example&topic=housing&after=x")
    items = reader.get(f"{path}.json").json()["items"]
    assert items
    assert {item["authors"][0]["name"] for item in items} == {"host2.example"}
    assert "<img" not in reader.get(f"{made(client)}.atom").text.replace("&lt;img", ""), ATTACK
    assert send(client, "/mine/feed", "/mine", list="articles", query="relevance=x").status_code == 400


def test_who_has_the_newest_gets_nothing_again(app_context: AppContext, log_in: LogIn) -> None:
    path, reader = made(log_in("viewer"), "events"), browser(app_context)
    first = reader.get(f"{path}.atom")
    again = reader.get(f"{path}.atom", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert first.headers["cache-control"] == "private, max-age=300"


def test_a_feed_opens_nothing_else_and_ends_when_it_is_revoked(app_context: AppContext, log_in: LogIn) -> None:
    client, other, reader = log_in("viewer"), log_in("analyst"), browser(app_context)
    path = made(client)
    token = path.rpartition("/")[2]
    assert reader.get("/api/articles", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    (row,) = app_context.store.select(API_TOKENS)
    assert token not in str(row), "only its hash is stored"
    assert send(other, "/mine/end_feed", "/mine", key=row["key"]).status_code == 404, "it is not theirs"
    assert reader.get(f"{path}.atom").status_code == 200
    assert send(client, "/mine/end_feed", "/mine", key=row["key"]).status_code == 303
    assert reader.get(f"{path}.atom").status_code == 404
    ended = made(client)
    app_context.store.upsert(USERS, [{"name": "a-viewer", "state": "disabled"}]).result()
    assert reader.get(f"{ended}.atom").status_code == 404


def test_a_feed_is_read_in_measure_and_guesses_are_bounded(app_context: AppContext, log_in: LogIn) -> None:
    path, reader = made(log_in("viewer"), "events"), browser(app_context)
    answers = [reader.get(f"{path}.json").status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]
    assert int(reader.get(f"{path}.json").headers["retry-after"]) <= 301
    guesses = {reader.get(f"/feeds/tc_{number}.atom").status_code for number in range(300)}
    assert guesses == {404, 429}
    assert reader.get("/feeds/x.rss").status_code == 429


def test_language_zone_and_topics_of_a_person_hold_in_a_new_browser(app_context: AppContext, log_in: LogIn) -> None:
    client = log_in("viewer")
    assert send(client, "/mine/prefer", "/mine", language="en", zone="Nowhere/x").status_code == 400
    assert send(client, "/mine/prefer", "/mine", language="en", zone="Asia/Tokyo", topics="b\nb\n").status_code == 303
    new = browser(app_context)
    send(new, "/login", "/login", user="a-viewer", password=PASSWORD)
    html = new.get("/mine", headers={"Accept-Language": "zh"}).text
    assert ">Preferences<" in html
    assert 'value="Asia/Tokyo"' in html
    assert "+0900" in new.get("/articles", headers={"Accept-Language": "zh"}).text
    assert own_first(["a", "b"], topics=app_context.people.get("a-viewer")["topics"]) == ["b", "a"]  # type: ignore[index]
    assert 'lang="zh' in new.get("/mine?lang=zh").text, "a choice in the browser comes first"


def test_a_search_is_subscribed_as_messages_and_given_up(make: MakeAppContext, tmp_path: Path) -> None:
    (tmp_path / "settings").mkdir()
    file = "channels:\n  desk: {kind: wecom, url_from: WECOM_URL}\n"
    (tmp_path / "settings" / "alerts.yaml").write_text(file, encoding="utf-8")
    client = browser(make(TOPICRAWL_SETTINGS_DIR=str(tmp_path / "settings")))
    form = {"list": "articles", "label": "mine", "channel": "desk", "every": "hour"}
    query = "q=侨胞 OR 侨务&host=-x.example&kind=article&topic=侨情&sort=best"
    for wrong in ({"list": "events"}, {"query": "relevance=0.5"}, {"channel": "none"}, {"at": "8"}, {"query": ""}):
        assert send(client, "/mine/subscribe", "/mine", **{"query": query, **form, **wrong}).status_code == 400
    assert send(client, "/mine/subscribe", "/mine", query=query, **form).status_code == 303
    assert send(client, "/mine/subscribe", "/mine", query=query, **form).status_code == 409, "the name is taken"
    (row,) = client.get("/api/mine").json()["subscriptions"]
    term = '(侨胞 OR 侨务) -host:"x.example" kind:"article" topic:"侨情"'
    assert (row["name"], row["values"]["term"], row["values"]["every"]) == ("mine", term, "hour")
    assert send(client, "/alerts/rule/remove", "/mine", rule="mine").status_code == 303
    assert client.get("/api/mine").json()["subscriptions"] == []
