"""Every page sets a hundred more cookies, and one that is too large."""

from pathlib import Path

from benchmarks.attacks import Trial
from crawler.identities.cookies import MAX_DOMAIN_COOKIES
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

_PAGES = 20


def attack(folder: Path, trial: Trial) -> str:
    """The most cookies that a request carries must be what a browser would send."""
    sent: list[int] = []

    def site(asked: Connection) -> None:
        sent.append(sum(bool(part.strip()) for part in _header(asked, "cookie").split(";")))
        names = [f"{asked.path.strip('/') or 'home'}-{number}=x" for number in range(100)]
        lines = "".join(f"Set-Cookie: {each}; Path=/\r\n" for each in [*names, f"large={'x' * 5_000}"])
        body = article("页", links_to(*(f"/{number}" for number in range(_PAGES)))).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{lines}\r\n"
        asked.send(head.encode() + body)

    with HostileWeb({"some.example": site}) as web:
        settings = {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 1}
        crawl = Crawl(folder, ["http://some.example/"], {}, settings, {"http_proxy": web.address}).run()
    if len(crawl.pages()) <= _PAGES or max(sent) < 100:
        return f"{len(crawl.pages())} pages, at most {max(sent, default=0)} cookies: the attack proves nothing"
    return f"{max(sent)} cookies in one request" if max(sent) > MAX_DOMAIN_COOKIES else ""


def _header(asked: Connection, name: str) -> str:
    return next((value for each, value in asked.headers.items() if each.lower() == name), "")
