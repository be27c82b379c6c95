"""`scrapy evidence`: what is stored of pages in one file that can be shown to others, and the check of such a file."""

import argparse
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import zstandard
from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand, say, whole_file
from crawler.commands._archived_answers import archived_answers
from crawler.commands._checked_zip import CheckedZipError, CheckedZipReader, CheckedZipWriter
from crawler.rendering.options import find_browser
from extractors.links.urls import canonical_url, url_key
from pipelines.exporting import source_bytes
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, MutableRow, Store, StoreError
from pipelines.stores.tables import PAGES, SOURCES, URLS
from pipelines.stores.watch_tables import VERSIONS
from pipelines.warc.stored_sources import WarcRowWriter

_KIND = "evidence"
_PICTURE_SECONDS = 60
_MAX_PAGES = 1_000
_UNSAFE = re.compile(r"[^\w.:-]")
_INERT = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_OFFLINE = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync",
            "--disable-component-update", "--hide-scrollbars", "--window-size=1280,2400",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")  # fmt: skip


class Command(QuietCommand):
    """Reads the store alone: nothing is fetched."""

    examples = (
        "scrapy evidence https://some.site/news/1.html -o 1.zip     one page or several",
        "scrapy evidence --event 4f2a… -o event.zip                 all pages of an event",
        "scrapy evidence --verify 1.zip                             whether a byte of it was changed",
    )
    usage = "[options] URL… -o FILE"
    summary = "Write pages with source, text, times, picture and SHA-256 of each into one file, or verify one"
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--event", default="", metavar="ID", help="the pages of this event")
        parser.add_argument("--output", "-o", default="", metavar="FILE", help="the file to write")
        parser.add_argument("--verify", default="", metavar="FILE", help="check a file instead of writing one")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not opts.verify and not (opts.output and (args or opts.event)):
            raise UsageError("Name addresses or --event ID, and -o FILE; or --verify FILE", print_help=False)
        with self.reporting(OSError, StoreError, CheckedZipError, stopped="stopped; there is no file"):
            if opts.verify:
                with closing(CheckedZipReader(Path(opts.verify), _KIND)) as found:
                    pages = len(found.facts.get("pages") or ())
                    say(f"unchanged: {pages} pages, made {found.facts['made_at']}\nSHA-256 of the list: {found.digest}")
            else:
                self._write(args, opts)

    def _write(self, args: list[str], opts: argparse.Namespace) -> None:
        with self.store() as store:
            keys = list(dict.fromkeys([*map(_key_of, args), *_of_event(store, opts.event)]))[:_MAX_PAGES]
            pages = [page for key in keys if (page := store.get(PAGES, key))]
            if not pages:
                raise CheckedZipError("none of these pages is stored; scrapy why URL says what is known of an address")
            with whole_file(opts.output) as out:
                writer = CheckedZipWriter(out, _KIND)
                answers = self._answers([page["url"] for page in pages])
                for number, page in enumerate(pages, 1):
                    for name, content in (*self._members(store, page), *answers.get(page["url"], ())):
                        writer.add(f"{number:03}/{name}", [content])
                digest = writer.close(pages=[page["url"] for page in pages], software="topicrawl")
        say(f"{len(pages)} of {len(keys)} pages: {opts.output}\nSHA-256 of the list: {digest}")

    def _answers(self, urls: list[str]) -> dict[str, list[tuple[str, bytes]]]:
        """The archived records of each address: requests, and responses with their headers."""
        folder = self.values["WARC_DIR"]
        found = archived_answers(Path(folder), urls) if folder else {}
        return {url: [("answers.warc.gz", members)] for url, members in found.items()}

    def _members(self, store: Store, page: MutableRow) -> Iterator[tuple[str, bytes]]:
        """Names and contents of what is kept of a page."""
        key = page["key"]
        versions = list(store.select(VERSIONS, [Condition("page", "=", key)]))
        facts = {"page": page, "address": store.get(URLS, key), "versions": versions}
        yield "page.json", json.dumps(facts, ensure_ascii=False, indent=1, default=str).encode("utf-8", "replace")
        yield "text.txt", f"{page['title'] or ''}\n\n{page['body'] or ''}\n".encode("utf-8", "replace")
        source = store.get(SOURCES, key)
        if not source or not isinstance(source.get("body"), bytes):
            return
        with suppress(zstandard.ZstdError):
            body = source_bytes(source)
            yield "source.html", body
            with tempfile.TemporaryDirectory() as folder:
                yield from _archived({**source, "url": page["url"]}, Path(folder))
                yield from self._picture(body, source.get("charset") or "utf-8", Path(folder))

    def _picture(self, body: bytes, charset: str, folder: Path) -> Iterator[tuple[str, bytes]]:
        """The page as a browser shows it offline; nothing where there is none, or where it fails."""
        with suppress(Exception), _served(body, charset) as address:  # neither page nor browser may cost the rest
            target = folder / "page.png"
            words = [find_browser(self.values["RENDER_BROWSER"]), *_OFFLINE, f"--user-data-dir={folder}/profile"]
            subprocess.run(
                [*words, f"--screenshot={target}", address], capture_output=True, timeout=_PICTURE_SECONDS, check=True
            )
            yield "picture.png", target.read_bytes()


@contextmanager
def _served(body: bytes, charset: str) -> Iterator[str]:
    """The address of a server that shows the page: no script runs, nothing else is fetched or followed, no file is read."""

    class StoredPageHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"text/html; charset={_UNSAFE.sub('', charset)[:40]}")
            self.send_header("Content-Security-Policy", _INERT)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), StoredPageHandler) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def _key_of(address: str) -> str:
    url = canonical_url(address)
    if not url:
        raise CheckedZipError(f"{address[:100]!r} is not an address")
    return url_key(url)


def _of_event(store: Store, event: str) -> Iterator[str]:
    if event:
        rows = store.select(MEMBERS, [Condition("event", "=", event)], limit=_MAX_PAGES, columns=("page",))
        yield from (row["page"] for row in rows)


def _archived(row: dict[str, Any], folder: Path) -> Iterator[tuple[str, bytes]]:
    """The source as a WARC record; nothing without the extra `warc`."""
    with suppress(StoreError), (folder / "record").open("w+b") as out:
        writer = WarcRowWriter(out, SOURCES.columns)
        writer.write(row)
        writer.close()
        out.seek(0)
        yield "record.warc.gz", out.read()
