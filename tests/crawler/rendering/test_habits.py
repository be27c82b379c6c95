"""Hosts are learned, doubted and unlearned."""

from crawler.rendering.habits import DOUBT, SURE, Habits

HOST = "some.example"


def _see(habits: Habits, lacks: bool, brings: bool = True) -> str:
    way = habits.way(HOST)
    if way == "look":
        habits.looked(HOST, lacks)
    if way == "render" or (way == "look" and lacks):
        habits.rendered(HOST, brings)
    return way


def test_a_host_whose_pages_need_scripts_is_rendered_at_once_and_looked_at_now_and_then() -> None:
    habits = Habits()
    assert [_see(habits, lacks=True) for _ in range(SURE)] == ["look"] * SURE
    ways = [_see(habits, lacks=True) for _ in range(40)]
    assert ways.count("look") == 40 // DOUBT
    assert ways.count("render") == 40 - 40 // DOUBT
    assert habits.learned() == [HOST]
    assert habits.way("other.example") == "look"


def test_it_is_unlearned_when_pages_come_whole() -> None:
    habits = Habits()
    for _ in range(SURE):
        _see(habits, lacks=True)
    ways = [_see(habits, lacks=False, brings=True) for _ in range(4 * DOUBT)]
    assert "render" not in ways[2 * DOUBT :]
    assert habits.learned() == []


def test_where_rendering_brings_nothing_it_is_mostly_left() -> None:
    habits = Habits()
    ways = [_see(habits, lacks=True, brings=False) for _ in range(10 * DOUBT)]
    assert ways[:SURE] == ["look"] * SURE
    assert ways.count("leave") >= 8 * (DOUBT - 1)
    habits.rendered(HOST, brought=True)
    assert habits.way(HOST) in ("look", "render")


def test_one_page_of_a_whole_site_teaches_nothing() -> None:
    habits = Habits()
    ways = [_see(habits, lacks=number % 5 == 0) for number in range(100)]
    assert set(ways) == {"look"}
