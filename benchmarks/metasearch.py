"""Meta-search end to end: a local engine over the served web of real sites, the spider, and what it fetches.

    python -m benchmarks.metasearch --web FOLDER --topic finance

The engine knows every page by the words in it (BM25 over pairs of letters of title and text) and not by its labels. It
answers at http://search.example/ in the layout of Bing. Harvest and recall come from the server's log.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from extractors.page import Page
from testbed.served_web import REPOSITORY, ServedWeb, add_arguments, served

_TERMS = {
    "finance": ["股票", "基金", "投资", "理财", "量化交易", "金融"],
    "travel": ["旅行", "旅游", "游记", "景点", "攻略"],
    "ml": ["机器学习", "深度学习", "神经网络", "模型训练"],
}
_SIZE = 10
_COLUMNS = ("fetched", "found", "relevant", "after_100", "after_300")


class Index:
    """BM25 (k1 = 1.2, b = 0.75) over pairs of letters of titles (five times) and texts."""

    def __init__(self, web: ServedWeb, root: Path) -> None:
        self._lengths: dict[str, int] = {}
        self.titles: dict[str, str] = {}
        self._postings: dict[str, dict[str, int]] = defaultdict(dict)
        for url, known in web.pages.items():
            page = Page((root / str(known["file"])).read_bytes(), url)
            title = str(known["title"])
            counts = Counter(_pairs(f"{title} " * 5 + page.article.text[:20_000]))
            self.titles[url], self._lengths[url] = title or url, sum(counts.values())
            for pair, count in counts.items():
                self._postings[pair][url] = count
        self._mean = sum(self._lengths.values()) / max(1, len(self._lengths))

    def search(self, words: str) -> list[str]:
        """All pages that hold any of the pairs, best first."""
        scores: Counter[str] = Counter()
        for pair in set(_pairs(words)):
            found = self._postings.get(pair, {})
            rarity = math.log(1 + (len(self._lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for url, count in found.items():
                norm = 1.2 * (0.25 + 0.75 * self._lengths[url] / self._mean)
                scores[url] += rarity * count * 2.2 / (count + norm)
        return [url for url, _ in scores.most_common()]


def _pairs(text: str) -> list[str]:
    plain = "".join(text.lower().split())
    return [plain[place : place + 2] for place in range(len(plain) - 1)]


@contextmanager
def engine_before(web: ServedWeb, index: Index) -> Iterator[str]:
    """A proxy that answers for search.example and hands everything else to the served web; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if urlsplit(self.path).hostname == "search.example":
                self._send(200, "text/html; charset=utf-8", _answer(index, self.path).encode(), "")
            else:
                self._send(*_passed_on(web, self.path))

        def _send(self, status: int, kind: str, body: bytes, location: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if location:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **given: Any) -> None:
        return None


def _passed_on(web: ServedWeb, url: str) -> tuple[int, str, bytes, str]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": web.address}), _NoRedirect())
    try:
        with opener.open(url, timeout=20) as answer:
            return answer.status, answer.headers.get("Content-Type", ""), answer.read(), ""
    except urllib.error.HTTPError as error:
        kind, location = error.headers.get("Content-Type", ""), error.headers.get("Location", "")
        return error.code, kind, error.read(), location


def _answer(index: Index, path: str) -> str:
    given = parse_qs(urlsplit(path).query)
    first = int(given.get("first", ["1"])[0])
    found = index.search(given["q"][0])[first - 1 : first - 1 + _SIZE]
    blocks = (f'<li class="b_algo"><h2><a href="{url}">{index.titles[url]}</a></h2></li>' for url in found)
    return f'<!doctype html><title>search</title><ol id="b_results">{"".join(blocks) or "There are no results for it"}</ol>'


def crawl(spider: str, arguments: dict[str, str], proxy: str, folder: Path, pages: int) -> None:
    """One crawl through the proxy."""
    (folder / "engines").mkdir(parents=True)
    declared = "url: http://search.example/?q={query}&first={first}\ndelay: 0\nhtml: li.b_algo\nfields:\n  url: h2 a\n"
    (folder / "engines" / "local.yaml").write_text(declared, encoding="utf-8")
    settings = {
        "DATA_DIR": folder,
        "STORE": f"sqlite:///{folder}/crawl.db",
        "TOPICRAWL_SETTINGS_DIR": folder,
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0,
        "METASEARCH_SITE_BUDGET": 30,
    }
    command = [sys.executable, "-m", "scrapy", "crawl", spider, "-a", f"max_pages={pages}"]
    command += [part for name, value in arguments.items() for part in ("-a", f"{name}={value}")]
    command += [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with (folder / "log").open("ab") as log:
        given = environment | {"http_proxy": proxy}
        subprocess.run(command, cwd=REPOSITORY, env=given, stdout=log, stderr=log, timeout=3_000, check=True)


def recall(web: ServedWeb, topic: str, pages: int, before: int) -> tuple[int, ...]:
    """Of the log after `before` lines: pages fetched, relevant ones among the first `pages`, relevant ones in all; those
    among the first 100 and 300."""
    relevant = {url for url, known in web.pages.items() if topic in known["labels"]}  # type: ignore[operator]
    fetched = list(dict.fromkeys(web.fetched()[before:]))[:pages]
    found = (len(relevant & set(fetched[:most])) for most in (100, 300))
    return len(fetched), len(relevant & set(fetched)), len(relevant), *found


def _entries(work: Path, topic: str) -> dict[str, dict[str, str]]:
    """Arguments of each crawl: by searching and from home pages, with a topic's order of links and without one."""
    described = str(REPOSITORY / "benchmarks/topics" / f"{topic}.yaml")
    searching, homes = {"engines": "local", "pages": "3"}, {"urls": str(work / "urls.txt")}
    return {
        "metasearch": searching | {"terms": str(work / "terms.txt")},
        "metasearch of a topic": searching | {"topic": described},
        "site": homes,
        "site of a topic": homes | {"topic": described},
    }


def main() -> int:
    """Print both crawls beside each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    add_arguments(parser)
    parser.add_argument("--topic", default="finance", choices=sorted(_TERMS), help="what is searched for")
    parser.add_argument("--entries", nargs="+", default=[], help="which crawls (default: all four)")
    parser.add_argument("--pages", type=int, default=1_000, help="fetches that count (default: 1000)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        with served(options, work) as web:
            index = Index(web, options.web or work / "web" / "web")
            print(f"{len(index.titles)} pages indexed", flush=True)
            with engine_before(web, index) as proxy:
                (work / "terms.txt").write_text("\n".join(_TERMS[options.topic]), encoding="utf-8")
                (work / "urls.txt").write_text("\n".join(web.seeds("zh")), encoding="utf-8")
                for name, arguments in _entries(work, options.topic).items():
                    if options.entries and name not in options.entries:
                        continue
                    before, spider = len(web.fetched()), name.partition(" ")[0]
                    crawl(spider, arguments, proxy, work / name.replace(" ", "-"), options.pages)
                    found = recall(web, options.topic, options.pages, before)
                    print(json.dumps({"entry": name} | dict(zip(_COLUMNS, found, strict=True))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
