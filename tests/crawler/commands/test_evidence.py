"""`scrapy evidence`: everything kept of a page in one file, and a changed byte noticed."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest
import zstandard
from warcio.archiveiterator import ArchiveIterator as WarcMembers

from extractors.links.urls import url_key
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Store
from pipelines.stores.tables import PAGES, SOURCES
from pipelines.warc.exchange import Exchange
from pipelines.warc.payloads import payload_digest
from pipelines.warc.records import exchange_records, warcinfo
from pipelines.warc.warc_files import WarcFiles

Run = Callable[..., tuple[str, str, int]]
AT = datetime(2026, 11, 1, tzinfo=UTC)
URL = "https://some.site/1.html"
HTML = "<html><meta http-equiv=refresh content='0;url=file:///etc/passwd'><script>document.body.innerHTML = ''</script><body style='background:#c00'><h1>地铁开通</h1><iframe src='file:///etc/passwd'></iframe></body></html>".encode()  # noqa: E501


@pytest.fixture
def run(store: Store, tmp_path: Path, scrapy: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    key = url_key(URL)
    page = {
        "key": key,
        "url": URL,
        "title": "地铁开通",
        "body": "昨天开通。",
        "fetched_at": "2026-11-01T00:00:00+00:00",
    }
    source = {"key": key, "body": zstandard.compress(HTML), "compression": "zstd", "charset": "utf-8"}
    store.write(
        [(PAGES, page), (SOURCES, source | {"fetched_at": page["fetched_at"]}), (MEMBERS, {"page": key, "event": "e1"})]
    ).result()
    monkeypatch.chdir(tmp_path)
    return partial(scrapy, "evidence", STORE=f"sqlite:///{tmp_path}/a.db", RENDER_BROWSER="")


def test_a_file_of_an_event_has_all_that_is_kept_and_is_verified(run: Run, tmp_path: Path) -> None:
    out, said, code = run("--event", "e1", "https://some.site/unknown", "-o", "e.zip")
    assert (code, said, out.splitlines()[0]) == (0, "", "1 of 2 pages: e.zip")
    with ZipFile("e.zip") as file:
        names = {name.removeprefix("001/") for name in file.namelist()}
        assert {"page.json", "text.txt", "source.html", "record.warc.gz", "manifest.json"} <= names
        assert ("picture.png" in names) == bool(shutil.which("chromium"))
        assert file.read("001/source.html") == HTML
        assert file.read("001/text.txt").decode() == "地铁开通\n\n昨天开通。\n"
        assert json.loads(file.read("001/page.json"))["page"]["fetched_at"] == "2026-11-01T00:00:00+00:00"
    verified, _, code = run("--verify", "e.zip")
    assert (code, verified.splitlines()[-1]) == (0, out.splitlines()[-1])


def test_answers_with_their_headers_come_from_the_archive(run: Run, tmp_path: Path) -> None:
    files = WarcFiles(tmp_path / "archive", 1_000_000, lambda name: warcinfo(name, {}))
    for url in (URL, "https://some.site/2.html"):
        made = Exchange(url, AT, "GET", ((b"Accept", b"*/*"),), b"", 200, ((b"Server", b"nginx"),), b"<h1>1</h1>")
        files.append(exchange_records(made, payload_digest(made.body), None))
    files.close()
    assert run(URL, "-o", "e.zip", WARC_DIR=f"{tmp_path}/archive")[2] == 0
    with ZipFile("e.zip") as file, file.open("001/answers.warc.gz") as members:
        kept = [
            (each.rec_type, each.rec_headers["WARC-Target-URI"], each.http_headers) for each in WarcMembers(members)
        ]
    assert [(kind, url) for kind, url, _ in kept] == [("response", URL), ("request", URL)]
    assert kept[0][2].get_header("Server") == "nginx"


def test_one_changed_byte_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")  # no browser
    run(URL, "-o", "e.zip")
    whole = Path("e.zip").read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 25)):
        Path("e.zip").write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        code = run("--verify", "e.zip")[2]
        assert code == 1 or ZipFile("e.zip").testzip() is None, place


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "e.zip", "https://other.site/"], "none of these pages is stored"),
        (["-o", "e.zip", "nonsense"], "is not an address"),
        (["--verify", "a.db"], "is not a whole evidence"),
        ([URL], "-o FILE"),
    ],
)
def test_mistakes_are_said_in_a_sentence(run: Run, words: list[str], sentence: str) -> None:
    _, said, code = run(*words)
    assert code
    assert sentence in said
    assert not Path("e.zip").exists()
