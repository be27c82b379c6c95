"""Lists of proxies that a provider serves: every usual form, secrets from the environment, and lists that change."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.proxies.proxy_lists import ProxyError, fetch_proxies
from crawler.proxies.proxy_pool import Proxy, ProxyPool
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.servers import wait_until


class _Provider:
    body: str = ""
    status: int = 200
    asked: str = ""

    def __call__(self, asked: Connection) -> None:
        self.asked = asked.path
        asked.answer(self.body, self.status)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[_Provider, str]]:
    for name in ("http_proxy", "HTTP_PROXY", "PROXY_USERNAME", "PROXY_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    serving = _Provider()
    with HostileWeb({"127.0.0.1": serving}) as web:
        yield serving, web.address


@pytest.mark.parametrize(
    "body",
    [
        "1.2.3.4:80\r\n5.6.7.8:90\r\n",
        "http://1.2.3.4:80 http://5.6.7.8:90",
        '["1.2.3.4:80", "5.6.7.8:90"]',
        json.dumps(
            {"code": 0, "data": {"list": [{"ip": "1.2.3.4", "port": 80}, {"ip": "5.6.7.8", "port": "90", "city": "x"}]}}
        ),
        json.dumps(
            [{"host": "1.2.3.4", "port": 80, "type": "http"}, {"host": "5.6.7.8", "port": 90, "protocol": "HTTP"}]
        ),
    ],
)
def test_a_list_is_read_in_every_usual_form(provider: tuple[_Provider, str], body: str) -> None:
    serving, address = provider
    serving.body = body
    assert [proxy.label for proxy in fetch_proxies(f"{address}/list")] == ["http://1.2.3.4:80", "http://5.6.7.8:90"]


def test_key_and_password_come_from_the_environment_and_are_in_no_label(
    provider: tuple[_Provider, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    serving, address = provider
    serving.body = "1.2.3.4:80\nhttp://own:pw@5.6.7.8:90"
    monkeypatch.setenv("PROVIDER_KEY", "GEHEIM")
    monkeypatch.setenv("PROXY_USERNAME", "me")
    monkeypatch.setenv("PROXY_PASSWORD", "p@ss")
    proxies = fetch_proxies(f"{address}/list?key=${{PROVIDER_KEY}}#socks5")
    assert serving.asked == "/list?key=GEHEIM"
    assert [proxy.url for proxy in proxies] == ["socks5://me:p%40ss@1.2.3.4:80", "http://own:pw@5.6.7.8:90"]
    assert [proxy.label for proxy in proxies] == ["socks5://1.2.3.4:80", "http://5.6.7.8:90"]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("no", 403, "403"),
        ("", 200, "has no proxies"),
        ("{broken", 200, "broken JSON"),
        ("<html>", 200, "line 1: must be like"),
    ],
)
def test_what_is_no_list_is_said_without_the_key(
    provider: tuple[_Provider, str], monkeypatch: pytest.MonkeyPatch, body: str, status: int, said: str
) -> None:
    serving, address = provider
    serving.body, serving.status = body, status
    monkeypatch.setenv("PROVIDER_KEY", "GEHEIM")
    with pytest.raises(ProxyError, match=said) as raised:
        fetch_proxies(f"{address}/list?key=${{PROVIDER_KEY}}")
    assert "GEHEIM" not in str(raised.value)
    with pytest.raises(ProxyError, match="the environment has no NO_SUCH_KEY"):
        fetch_proxies(f"{address}/?key=${{NO_SUCH_KEY}}")


def test_a_crawl_whose_proxies_are_dead_goes_on_with_the_providers_next_list(tmp_path: Path) -> None:
    serving = _Provider()
    serving.body = "127.0.0.1:9"

    def page(asked: Connection) -> None:
        asked.answer("<title>A page</title><p>" + "The text of the page, and some more of it. " * 20)

    with HostileWeb({"127.0.0.1": serving, "some.example": page}) as web:
        (tmp_path / "sites").mkdir()
        (tmp_path / "sites" / "some.example.yaml").write_text(f"proxies: {web.address}/list?key=${{PROVIDER_KEY}}")
        settings = {
            "TOPICRAWL_SETTINGS_DIR": tmp_path,
            "PROXY_REFRESH_INTERVAL": 0.5,
            "PROXY_BACKOFF": 0.2,
            "TITLES_ENABLED": False,
        }
        settings |= {"ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0}
        crawl = Crawl(tmp_path / "data", ["http://some.example/"], settings=settings)
        crawl.environment = {"PROVIDER_KEY": "GEHEIM"}
        process = crawl.start()
        wait_until(lambda: "does not work" in crawl.text(), "the first proxy's failure")
        serving.body = web.address
        crawl.wait(process)
    assert [row["title"] for row in crawl.pages().values()] == ["A page"]
    assert "The list of 127.0.0.1 has changed: 1 added, 1 removed" in crawl.log
    assert "GEHEIM" not in crawl.log
    assert not crawl.errors


def test_what_is_known_of_those_that_stay_is_kept() -> None:
    pool = ProxyPool([Proxy(f"http://{name}:1", name) for name in "abc"], backoff=60, clock=lambda: 0.0)
    pool.failed("a")
    assert pool.replace([Proxy("http://new@a:1", "a"), Proxy("http://d:1", "d")]) == (1, 2)
    assert sorted(pool.proxies) == ["a", "d"]
    assert (pool.proxies["a"].failures, pool.proxies["a"].url) == (1, "http://new@a:1")
    assert pool.alive() == 1
    assert pool.replace([]) == (0, 2)
    assert pool.choose("", lambda proxy: 0.0) == 60
