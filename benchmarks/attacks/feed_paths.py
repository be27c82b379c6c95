"""An answer that calls itself a feed holds a path or an address of this machine in place of a feed."""

from pathlib import Path

from tests.crawling import Crawl
from tests.hostile import Connection, HostileWeb
from tests.hostile.behaviours import article, links_to

SECRET = '<rss version="2.0"><channel><item><link>http://feeds.example/secret</link></item></channel></rss>'


def attack(folder: Path) -> str:
    """A local XML file, /dev/zero, /dev/stdin, file: and http: addresses, each as RSS; then a normal page and feed."""
    folder.mkdir(parents=True, exist_ok=True)
    local = folder / "local.xml"
    local.write_text(SECRET, encoding="utf-8")
    bodies = {
        "/local": str(local), "/file": f"file://{local}", "/zero": "/dev/zero", "/stdin": "/dev/stdin",
        "/http": "http://feeds.example/inside", "/broken": "<rss><channel><item>", "/empty": "",
        "/good": SECRET.replace("secret", "good.html"),
    }  # fmt: skip

    def feeds(asked: Connection) -> None:
        if asked.path in bodies:
            asked.answer(bodies[asked.path], Content_Type="application/rss+xml")
        else:
            asked.answer(article("首页", links_to(*bodies) if asked.path == "/" else ""))

    with HostileWeb({"feeds.example": feeds}) as web:
        settings = {"FRONTIER_HOST_DELAY": 0, "DOWNLOAD_TIMEOUT": 5, "MEMUSAGE_LIMIT_MB": 1_000}
        crawl = Crawl(
            folder / "crawl", ["http://feeds.example/"], settings=settings, environment={"http_proxy": web.address}
        )
        crawl.run(60)
        paths = {seen.path for seen in web.asked("feeds.example")}
    if not set(bodies) <= paths or "/good.html" not in paths:
        return f"the crawl did not read all feeds (exit code {crawl.exit_code})"
    if {"/secret", "/inside"} & paths:
        return "a file or an address that an answer names was opened"
    if crawl.exit_code or crawl.errors:
        return f"exit code {crawl.exit_code}, {crawl.errors[:2]}"
    return "" if crawl.peak_memory < 400_000_000 else f"{crawl.peak_memory:,} bytes of memory"
