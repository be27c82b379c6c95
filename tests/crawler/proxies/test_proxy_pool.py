"""Pools of proxies: backoff after failures, and who gets which proxy."""

from crawler.proxies.proxy_lists import read_proxies
from crawler.proxies.proxy_pool import Proxy, ProxyPool


def test_a_dead_proxy_backs_off_longer_each_time_and_comes_back() -> None:
    now = 0.0
    pool = ProxyPool(read_proxies("http://a:1\nhttp://b:1", "list"), "round_robin", backoff=5, clock=lambda: now)
    assert pool.failed("http://a:1") == 5
    assert [chosen.label for _ in range(2) if isinstance(chosen := pool.choose("", _free), Proxy)] == ["http://b:1"] * 2
    now = 6.0
    assert pool.alive() == 2
    assert pool.failed("http://a:1") == 10
    assert pool.failed("http://b:1") == 5
    assert pool.choose("", _free) == 5.0
    now = 11.0
    assert pool.dead_seconds() == 5.0
    pool.worked("http://b:1")
    assert pool.dead_seconds() == 0.0


def test_sticky_gives_a_key_its_proxy_and_moves_only_those_who_lost_theirs() -> None:
    pool = ProxyPool(read_proxies("\n".join(f"http://p{number}:1" for number in range(6)), "list"))
    before = {key: _label(pool, key) for key in map(str, range(100))}
    assert before == {key: _label(pool, key) for key in before}
    assert len(set(before.values())) == 6
    pool.failed("http://p0:1")
    assert all(_label(pool, key) == label for key, label in before.items() if label != "http://p0:1")
    for number in range(1, 5):
        pool.failed(f"http://p{number}:1")
    assert {_label(pool, key) for key in before} == {"http://p5:1"}


def _label(pool: ProxyPool, key: str) -> str:
    chosen = pool.choose(key, _free)
    assert isinstance(chosen, Proxy)
    return chosen.label


def _free(proxy: Proxy) -> float:
    return 0.0
