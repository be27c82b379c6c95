"""Identities keep cookies, browser and proxy together, and apart from one another."""

import random
from pathlib import Path

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.download.browsers import browser_of, browsers
from crawler.frontier.requests import dump_request
from crawler.meta import VISITOR_KEY
from crawler.middlewares.identities import IdentityMiddleware
from crawler.middlewares.user_agents import UserAgentMiddleware
from crawler.proxies.pool import Proxy, ProxyPool, read_proxies

_NAMES = [f"reader{number}" for number in range(16)]


def test_64_requests_at_once_never_mix_up_identities(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    text = f"identities: [{', '.join(_NAMES)}]\nuser_agent: any"
    (tmp_path / "sites" / "some.example.yaml").write_text(text)
    crawler = get_crawler(settings_dict={"TOPICRAWL_SETTINGS_DIR": tmp_path})
    crawler.stats = None
    identities, cookies = IdentityMiddleware.from_crawler(crawler), CookiesMiddleware.from_crawler(crawler)
    agents = UserAgentMiddleware.from_crawler(crawler)
    seen: dict[str, set[bytes]] = {}
    under_way: list[Request] = []
    chance = random.Random(5)
    for number in range(10_000):
        request = Request(f"http://some.example/{number}")
        identities.process_request(request)
        agents.process_request(request)
        cookies.process_request(request)
        name = request.meta["cookiejar"]
        seen.setdefault(name, set()).add(request.headers["User-Agent"])
        sent = request.headers.get("Cookie")
        assert sent in (None, f"session={name}".encode())
        under_way.append(request)
        if len(under_way) == 64:
            done = under_way.pop(chance.randrange(64))
            answer = Response(done.url, headers={"Set-Cookie": f"session={done.meta['cookiejar']}; Path=/"})
            cookies.process_response(done, answer)
    assert sorted(seen) == sorted(_NAMES)
    assert all(len(used) == 1 for used in seen.values())
    follow = Request("http://some.example/elsewhere", meta={"cookiejar": "reader3"})
    identities.process_request(follow)
    assert follow.meta[VISITOR_KEY] == ("some.example", "reader3", "")


def test_browsers_come_by_their_share_with_hints_that_fit() -> None:
    chosen = [browser_of(f"visitor{number}", "desktop") for number in range(4_000)]
    shares = {browser.name: browser.share for browser in browsers("desktop")}
    for name, share in shares.items():
        part = sum(browser.name == name for browser in chosen) / len(chosen)
        assert abs(part - share / sum(shares.values())) < 0.03
    for browser in browsers("any"):
        version = browser.agent.partition("Chrome/")[2].partition(".")[0]
        assert (f'v="{version}"' in browser.hints["Sec-CH-UA"]) if version else not browser.hints
        assert ("Mobile" in browser.agent) == (browser.platform == "mobile")


def test_no_password_of_a_proxy_is_stored() -> None:
    request = Request("http://some.example/", headers={"Proxy-Authorization": "Basic geheim", "X-Own": "kept"})
    request.meta.update({"proxy": "http://me:geheim@proxy.example:80", VISITOR_KEY: ("some.example", "", "p")})
    stored = dump_request(request, Spider("site"))
    assert b"geheim" not in stored
    assert b"kept" in stored


def test_a_dead_proxy_rests_longer_each_time_and_comes_back() -> None:
    now = 0.0
    pool = ProxyPool(read_proxies("http://a:1\nhttp://b:1", "list"), "round_robin", rest=5, clock=lambda: now)
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
