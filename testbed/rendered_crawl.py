"""A crawl of pages that scripts make, and what it stored."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pipelines.stores.tables import RECORDS
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb
from testbed.scripted_site import KINDS, SCRIPTED, SERVED, answer

StoredPage = tuple[str, str, list[tuple[str, str, str]]]
_SETTINGS = {
    "FRONTIER_HOST_DELAY": 0,
    "TITLES_ENABLED": False,
    "SITE_MEMORY": False,
    "RETRY_DELAY": 1,
    "RENDER_TIMEOUT": 60,
}


def rendered_crawl(folder: Path, hosts: tuple[str, ...], render: str, numbers: range, **own: Any) -> Crawl:
    """The pages of these numbers, of every kind, from each of the hosts."""
    (folder / "settings" / "sites").mkdir(parents=True)
    (folder / "settings" / "sites" / "default.yaml").write_text(f"render: {render}\n")
    urls = [f"http://{host}/{kind}/{number}" for host in hosts for kind in KINDS for number in numbers]
    with HostileWeb({SERVED: answer, SCRIPTED: answer}) as web:
        settings = _SETTINGS | {"TOPICRAWL_SETTINGS_DIR": folder / "settings"} | own
        return Crawl(folder, urls, {"depth": "1"}, settings, {"http_proxy": web.address}).run(1800)


def stored_pages(made: Crawl) -> dict[str, dict[str, StoredPage]]:
    """By host and path: title, text, and author, time and text of each record."""
    with made.store() as store:
        records = sorted(store.select(RECORDS), key=lambda row: row["place"] or 0)
    by_page: dict[int, list[tuple[str, str, str]]] = {}
    for row in records:
        by_page.setdefault(row["page"], []).append((row["author"], row["time"], row["text"]))
    found: dict[str, dict[str, StoredPage]] = {SERVED: {}, SCRIPTED: {}}
    for url, row in made.pages().items():
        parts = urlsplit(url)
        found[parts.netloc][parts.path] = (row["title"], row["body"], by_page.get(row["key"], []))
    return found
