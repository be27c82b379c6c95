"""The web of real sites in memory: each page is read once, what is read of it can be kept in a file for later runs.

A recorded page has no source: it answers what judges and orders of a focused crawl ask (article, links with their
surroundings, text blocks), so that a crawl of a thousand pages costs a second or two and no network.
"""

import json
import pickle
import posixpath
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from benchmarks.rival_orders import all_surroundings
from extractors.article import extract
from extractors.article.kinds import find_kind
from extractors.feeds import read_feed
from extractors.links.find import find_links
from extractors.page import Page
from extractors.topic.page_text import page_text
from testbed.served_web import SHARED, unpacked

_READ: dict[str, Callable[[Any], Any]] = {
    "article": extract,
    "links": find_links,
    "around": all_surroundings,
    "text": page_text,
    "kind": find_kind,
}
_MAX_HOPS = 5


@dataclass(frozen=True, slots=True)
class WebPage:
    """A labelled page of the web.

    Attributes:
        labels, grey: topics that it belongs to, and those for which this is left open.
        listing: it is a list of pages. known: its author's tags are known.
        read: what was read of it, by name.
    """

    url: str
    host: str
    labels: frozenset[str]
    grey: frozenset[str]
    listing: bool
    known: bool
    read: dict[str, Any]

    def page(self) -> Page:
        """The page as judges and orders see it."""
        page = Page(b"", self.url)
        page._read.update({_READ[name]: value for name, value in self.read.items()})
        return page

    @property
    def links(self) -> list[str]:
        """Where it leads, in order."""
        return [link.url for link in self.read["links"]]


@dataclass(frozen=True, slots=True)
class RecordedWeb:
    """Pages by URL; home pages of its hosts; other names of hosts; the addresses in each host's sitemaps."""

    pages: dict[str, WebPage]
    homes: tuple[str, ...]
    aliases: dict[str, str]
    sitemaps: dict[str, tuple[str, ...]]
    hosts: frozenset[str]

    def answer(self, url: str) -> str:
        """The page that a request for this address ends at, after redirects; "" where the answer is 404."""
        for _ in range(_MAX_HOPS):
            found = self._step(url)
            if found is None:
                return url
            url = found
        return ""

    def _step(self, url: str) -> str | None:
        """None: this is a page; "": not found; else where it is redirected to."""
        if url in self.pages or not url:
            return None
        parts = urlsplit(url)
        host = self._host(parts.netloc.lower().removesuffix(":80"))
        path = quote(re.sub("/+", "/", unquote(parts.path or "/", errors="replace")), safe="/~!@$&'()*+,;=:-._%")
        plain = re.sub(r"/index\.html?$", "/", f"http://{host}{path}")
        query = f"?{parts.query}" if parts.query else ""
        forms = (plain + query, plain, f"{plain}/", f"{plain}.html", f"{plain}index.html")
        return next((form for form in forms if form in self.pages), "")

    def _host(self, host: str) -> str:
        if host in self.hosts:
            return host
        bare = host.removeprefix("www.")
        return self.aliases.get(host) or (bare if bare in self.hosts else self.aliases.get(bare, ""))


def add_arguments(parser: ArgumentParser) -> None:
    """Where the web is, and where what is read of it is kept."""
    parser.add_argument("--packed", type=Path, default=SHARED / "data/web/web-dev.tar.zst", help="the web, packed")
    parser.add_argument("--web", type=Path, help="the folder of the web if it is unpacked already")
    parser.add_argument("--split", default="dev", help="part of the web that is read (default: dev)")
    parser.add_argument("--part", default="zh", choices=("zh", "en"), help="pages in Chinese, or WebKB")
    parser.add_argument(
        "--recorded",
        type=Path,
        help="file that keeps what is read of the pages (a pickle of your own: load no other); delete it after a change "
        "of the extraction",
    )


def recorded_web(options: Namespace, work: Path) -> RecordedWeb:
    """Read the web, or load it from the file of an earlier run."""
    if options.recorded and options.recorded.exists():
        with options.recorded.open("rb") as file:
            found: RecordedWeb = pickle.load(file)
            return found
    web = read_web(unpacked(options, work), options.split, options.part)
    if options.recorded:
        with options.recorded.open("wb") as file:
            pickle.dump(web, file, protocol=5)
    return web


def any_web(packed: Path, part: str, kept: Path | None, work: Path) -> RecordedWeb:
    """The part of a web, packed or a folder, with its only split; what is read of it is kept in a folder if one is named."""
    name = packed.name.partition(".")[0]
    recorded = kept / f"{name}-{part}.pickle" if kept else None
    if recorded and recorded.exists():
        return recorded_web(Namespace(recorded=recorded), work)
    root = packed if packed.is_dir() else unpacked(Namespace(web=None, packed=packed), work / name)
    split = next(root.glob("pages-*.jsonl")).stem.removeprefix("pages-")
    return recorded_web(Namespace(web=root, split=split, part=part, recorded=recorded), work)


def read_web(root: Path, split: str, part: str, only: frozenset[str] = frozenset()) -> RecordedWeb:
    """Read the pages of a part of the web, of all its hosts or of these only."""
    rows = [json.loads(line) for line in (root / f"pages-{split}.jsonl").read_text(encoding="utf-8").splitlines()]
    hosts = json.loads((root / f"hosts-{split}.json").read_text(encoding="utf-8"))
    own = [host for host, about in hosts.items() if about["web"] == part and (not only or host in only)]
    known = frozenset(own)
    aliases = json.loads((root / "aliases.json").read_text(encoding="utf-8"))
    aliases = {name: host for name, host in aliases.items() if host in known}
    plain = _https_of(known | set(aliases) | {f"www.{host}" for host in known})
    pages = {row["url"]: _page(root, row, plain) for row in rows if row["host"] in known}
    sitemaps = {host: tuple(_sitemap(root / host, host)) for host in known}
    return RecordedWeb(pages, tuple(f"http://{host}/" for host in own), aliases, sitemaps, known)


def _https_of(names: set[str] | frozenset[str]) -> re.Pattern[bytes]:
    """https addresses of hosts of the web, which are served as http."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(
        rb"https://(" + b"|".join(re.escape(name.encode()) for name in longest_first) + rb")(?=[/\"'<> ?#])"
    )


def _page(root: Path, row: dict[str, Any], plain: re.Pattern[bytes]) -> WebPage:
    page = Page(plain.sub(rb"http://\1", (root / row["file"]).read_bytes()), row["url"])
    read = {name: page.once(function) for name, function in _READ.items()}
    return WebPage(
        row["url"], row["host"], frozenset(row["labels"]), frozenset(row["grey"]), row["listing"], row["known"], read
    )


def _sitemap(folder: Path, host: str) -> Iterator[str]:
    """What the sitemap.xml of a host lists, and the sitemaps that it names."""
    waiting, seen = ["sitemap.xml"], set()
    while waiting and len(seen) < 20:
        name = posixpath.normpath(waiting.pop(0))
        file = folder / name
        if name in seen or name.startswith("..") or not file.is_file():
            continue
        seen.add(name)
        found = read_feed(file.read_bytes(), f"http://{host}/{name}")
        if found is not None and found.kind == "index":
            waiting += [urlsplit(url).path.lstrip("/") for url in found.addresses]
        elif found is not None:
            yield from (url.replace("https://", "http://", 1) for url in found.addresses)
