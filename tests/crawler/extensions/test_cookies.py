"""Cookies of identities without a log-in outlive a crawl, each identity's its own."""

from pathlib import Path

from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb


def test_a_visitor_is_known_again_by_the_next_crawl(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "some.example.yaml").write_text("identities: [a, b]")
    sent: list[str] = []

    def page(asked: Connection) -> None:
        cookie = asked.headers.get("Cookie", "")
        sent.append(cookie)
        new = {} if cookie else {"Set_Cookie": f"visitor=v{len(sent)}; Path=/; Max-Age=9000"}
        links = "".join(f"<a href=/{n}>A page with the number {n}</a> " for n in range(8)) if asked.path == "/" else ""
        asked.answer(f"<title>A page</title><p>{'The text of the page, and more. ' * 20}{links}", **new)

    with HostileWeb({"some.example": page}) as web:
        settings = {"TOPICRAWL_SETTINGS_DIR": tmp_path, "FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 1}
        crawl = Crawl(tmp_path / "data", ["http://some.example/"], settings=settings | {"TITLES_ENABLED": False})
        crawl.environment = {"http_proxy": web.address}
        crawl.run()
        known = set(sent) - {""}
        assert len(known) == 2
        sent.clear()
        crawl.run()
    assert set(sent) == known
    assert not crawl.errors
