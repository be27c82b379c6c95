"""Identities keep cookies, browser and proxy together, and apart from one another."""

import random
from pathlib import Path

from scrapy import Request
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.meta import VISITOR_KEY
from crawler.middlewares.client_identity import IdentityMiddleware, UserAgentMiddleware

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
