"""`scrapy export` as people use it: whole processes, their output and their sentences."""

import csv
import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from scrapy.cmdline import execute
from scrapy.settings import Settings

from pipelines.stores.instant_columns import instants
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, SOURCES
from pipelines.stores.watch_tables import VERSIONS

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = f"sqlite:///{tmp_path_factory.mktemp('export')}/a.db"
    store = open_store(made)
    pages = [
        {"key": "1", "url": "https://a.example/1", "title": "地震，速报", "body": "第一行\n第二行", "relevance": 0.9,
         "keywords": ["地震", "四川"], **instants("published", "2026-11-03", "zh"),
         "published": "2026-11-03", "fetched_at": "2026-11-20T08:00:00+00:00"},
        {"key": "2", "url": "https://b.example/2", "title": "=cmd|' /C calc'!A0", "body": "", "relevance": 0.1,
         "keywords": ["经济"], **instants("published", "2026-10-01", "zh"),
         "published": "2026-10-01", "fetched_at": "2026-11-19T08:00:00+00:00"},
        {"key": "3", "url": "https://b.example/3", "title": "-5", "fetched_at": "2026-11-18T08:00:00+00:00"},
    ]  # fmt: skip
    store.upsert(PAGES, pages).result()
    body = zstandard.compress("<p>中文</p>".encode("gb18030"))
    store.upsert(SOURCES, [{"key": "1", "body": body, "compression": "zstd", "charset": "gb18030"}]).result()
    texts = [
        ("1", "2026-11-01T00:00:00+00:00", "第一稿"),
        ("1", "2026-11-02T00:00:00+00:00", "第二稿"),
        ("gone", "2026", "旧"),
    ]
    versions = [
        {"page": page, "fetched_at": at, "body": body, "title": "地震", "replaced_at": "2026-11-20"}
        for page, at, body in texts
    ]
    store.upsert(VERSIONS, versions).result()
    store.close()
    return made


class Exported:
    """What one run has written, and how it ended."""

    def __init__(self, out: bytes, sentences: bytes, code: int) -> None:
        self.stdout, self.stderr, self.returncode = out, sentences.decode(), code


@pytest.fixture
def export(address: str, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Exported]:
    def run(*words: str) -> Exported:
        settings = Settings({"COMMANDS_MODULE": "analysis.commands", "STORE": address})
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "export", *words], settings)
        sys.stdout.flush()
        return Exported(*capfdbinary.readouterr(), int(ended.value.code or 0))

    return run


def test_csv_opens_right_in_a_spreadsheet(export: Callable[..., Exported]) -> None:
    done = export("--columns", "title,body,keywords,relevance")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"\xef\xbb\xbftitle,")
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode("utf-8-sig"), newline="")))
    assert rows[0] == {"title": "地震，速报", "body": "第一行\n第二行", "keywords": "地震; 四川", "relevance": "0.9"}
    assert rows[1]["title"].startswith("'=")
    assert rows[2]["title"] == "-5"
    assert "3 rows of pages" in done.stderr


def test_json_lines_are_readable_and_filtered(export: Callable[..., Exported]) -> None:
    done = export("--format", "jsonl", "--where", "title contains 地震", "--where", "relevance>=0.5")
    assert "地震，速报" in done.stdout.decode()
    assert [json.loads(line)["keywords"] for line in done.stdout.splitlines()] == [["地震", "四川"]]


def test_elements_of_lists_can_be_asked_for(export: Callable[..., Exported]) -> None:
    assert export("--format", "jsonl", "--where", "keywords contains 四川").stdout.count(b"\n") == 1
    assert export("--format", "jsonl", "--where", "keywords contains 川").stdout == b""


def test_spans_of_time_sort_and_limit(export: Callable[..., Exported]) -> None:
    words = ["--format", "jsonl", "--columns", "key"]
    assert (
        export(*words, "--since", "2026-11-19", "--sort", "key", "--descending").stdout
        == b'{"key": "2"}\n{"key": "1"}\n'
    )
    assert export(*words, "--until", "2026-11-18").stdout == b'{"key": "3"}\n'
    assert export(*words, "--by", "published", "--since", "2026-11-01").stdout == b'{"key": "1"}\n'
    assert export(*words, "--by", "published", "--until", "2026-10-02").stdout == b'{"key": "2"}\n'
    assert export(*words, "--sort", "key", "--limit", "1").stdout == b'{"key": "1"}\n'


def test_sources_come_as_text(export: Callable[..., Exported]) -> None:
    row = json.loads(export("--table", "sources", "--format", "jsonl", "--columns", "body").stdout)
    assert row == {"body": "<p>中文</p>"}


def test_parquet_has_types(export: Callable[..., Exported], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = export("--format", "parquet", "-o", str(tmp_path / "p.parquet"))
    assert done.returncode == 0, done.stderr
    table = parquet.read_table(tmp_path / "p.parquet")
    assert table.column("relevance").to_pylist() == [0.9, 0.1, None]
    assert json.loads(table.column("keywords")[0].as_py()) == ["地震", "四川"]


def test_sources_become_an_archive(export: Callable[..., Exported], tmp_path: Path) -> None:
    archiveiterator = pytest.importorskip("warcio.archiveiterator")
    path = tmp_path / "a.warc.gz"
    for words in ((), ("--table", "pages", "--where", "title contains 地震")):
        assert "1 rows" in export("--format", "warc", *words, "-o", str(path)).stderr
        with path.open("rb") as file:
            records = [(each, each.raw_stream.read()) for each in archiveiterator.ArchiveIterator(file)]
        (info, _), (page, body) = records
        assert (info.rec_type, page.rec_type) == ("warcinfo", "resource")
        assert page.rec_headers["WARC-Target-URI"] == "https://a.example/1"
        assert page.content_type == "text/html; charset=gb18030"
        assert body.decode("gb18030") == "<p>中文</p>"
    done = export("--format", "warc", "--table", "pages", "-o", str(path))
    assert "2 pages are left out" in done.stderr


def test_a_reader_may_go_away(address: str) -> None:
    settings = f"Settings({{'COMMANDS_MODULE': 'analysis.commands', 'STORE': {address!r}}})"
    script = "from scrapy.cmdline import execute; from scrapy.settings import Settings; "
    script += f"execute(['scrapy', 'export', '--format', 'jsonl'], {settings})"
    command = f'"{sys.executable}" -c "$SCRIPT" | true'
    done = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env={**os.environ, "SCRIPT": script},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == b""
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--table", "nonsense"], "choose one of pages"),
        (["--format", "xls"], "csv, jsonl, parquet"),
        (["--columns", "title,nonsense"], "no column 'nonsense'"),
        (["--where", "title; DROP TABLE pages"], "is not a comparison"),
        (["--where", "relevance > much"], "is a number"),
        (["--where", "keywords = 地震"], "is a list"),
        (["--since", "yesterdayish"], "is not a time"),
        (["--limit", "-1"], "1 or more"),
        (["--nonsense"], "unknown: --nonsense"),
        (["-s", "STORE=sqlite:///nowhere/a.db"], "no database at nowhere/a.db"),
        (["--output", "/nowhere/at/all.csv"], "No such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(export: Callable[..., Exported], words: list[str], sentence: str) -> None:
    done = export(*words)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 2)
    assert done.stdout == b""


def test_help_has_examples(export: Callable[..., Exported]) -> None:
    assert "scrapy export --format jsonl --since 7d" in export("--help").stdout.decode()


def test_a_full_disk_is_said_and_leaves_no_file_that_looks_whole(
    address: str, tmp_path: Path, export: Callable[..., Exported], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-m", "scrapy", "export", "-s", f"STORE={address}"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert done.returncode == 1
    assert (
        done.stderr.decode().strip()
        == "The disk is full: the output is not complete. Make room, and run the command again."
    )
    there = tmp_path / "pages.csv"
    there.write_text("of yesterday")

    def fails(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("analysis.commands.export._write_rows", fails)
    ended = export("--output", str(there))
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert "The disk is full" in ended.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["of yesterday"]


def test_every_command_says_that_its_output_is_not_complete(address: str) -> None:
    command = [sys.executable, "-m", "scrapy", "engines", "list", "-s", f"STORE={address}"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert done.returncode == 1
    assert b"The disk is full" in done.stderr
    assert b"Traceback" not in done.stderr


def test_authors_are_counted_and_masked_on_wish(export: Callable[..., Exported]) -> None:
    assert export("--table", "authors", "--format", "jsonl").stderr.startswith("0 rows of authors")
    refused = export("--table", "authors", "--since", "7d")
    assert refused.returncode
    assert "omit --where" in refused.stderr
    assert "--mask is for" in export("--mask").stderr


def test_corrections_have_the_text_before_and_after(export: Callable[..., Exported]) -> None:
    rows = [json.loads(line) for line in export("--table", "versions", "--format", "jsonl").stdout.splitlines()]
    texts = {(row["page"], row["body"]): (row["body_after"], row["title_after"], row["replaced_at"]) for row in rows}
    assert texts["1", "第一稿"] == ("第二稿", "地震", "2026-11-20")
    assert texts["1", "第二稿"] == ("第一行\n第二行", "地震，速报", "2026-11-20")
    assert texts["gone", "旧"] == ("", "", "2026-11-20")
    few = export("--table", "versions", "--columns", "body_after", "--limit", "1").stdout.decode("utf-8-sig").split()
    assert few[0] == "body_after"
    assert export("--table", "versions", "--columns", "url,body").returncode == 0
