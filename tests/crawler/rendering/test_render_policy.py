"""Hosts are learned, doubted and unlearned."""

from crawler.rendering.render_policy import INSPECT_EVERY, SURE_PAGES, RenderPolicy

HOST = "some.example"


def _see(policy: RenderPolicy, lacks: bool, brings: bool = True) -> str:
    way = policy.decide(HOST)
    if way == "inspect":
        policy.record_served(HOST, lacks)
    if way == "render" or (way == "inspect" and lacks):
        policy.record_rendered(HOST, brings)
    return way


def test_a_host_whose_pages_need_scripts_is_rendered_at_once_and_looked_at_now_and_then() -> None:
    policy = RenderPolicy()
    assert [_see(policy, lacks=True) for _ in range(SURE_PAGES)] == ["inspect"] * SURE_PAGES
    ways = [_see(policy, lacks=True) for _ in range(40)]
    assert ways.count("inspect") == 40 // INSPECT_EVERY
    assert ways.count("render") == 40 - 40 // INSPECT_EVERY
    assert policy.hosts_with_scripts() == [HOST]
    assert policy.decide("other.example") == "inspect"


def test_it_is_unlearned_when_pages_come_whole() -> None:
    policy = RenderPolicy()
    for _ in range(SURE_PAGES):
        _see(policy, lacks=True)
    ways = [_see(policy, lacks=False, brings=True) for _ in range(4 * INSPECT_EVERY)]
    assert "render" not in ways[2 * INSPECT_EVERY :]
    assert policy.hosts_with_scripts() == []


def test_where_rendering_brings_nothing_it_is_mostly_left() -> None:
    policy = RenderPolicy()
    ways = [_see(policy, lacks=True, brings=False) for _ in range(10 * INSPECT_EVERY)]
    assert ways[:SURE_PAGES] == ["inspect"] * SURE_PAGES
    assert ways.count("skip") >= 8 * (INSPECT_EVERY - 1)
    policy.record_rendered(HOST, added_text=True)
    assert policy.decide(HOST) in ("inspect", "render")


def test_one_page_of_a_whole_site_teaches_nothing() -> None:
    policy = RenderPolicy()
    ways = [_see(policy, lacks=number % 5 == 0) for number in range(100)]
    assert set(ways) == {"inspect"}
