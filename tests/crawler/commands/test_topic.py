"""`scrapy topic` over a small store, as people call it."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
import zstandard

from crawler.terms.review import Review
from crawler.terms.term_store import TermStore
from extractors.links.urls import url_key
from extractors.topic.expansion import TermCandidate
from extractors.topic.library import TermState
from extractors.topic.model import Term, TermClass, Topic
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, RESULTS, SOURCES

TOPIC = """name: tax
description: 税收
terms:
  subject: [税务局]
  professional: [增值税, 印花税]
  intelligence:
    - {word: 偷税, weight: 0.8, synonyms: [逃税]}
sites: [tax.example]
"""
TAX = [f"税务局第{n}次公告：企业申报增值税和印花税，出口退税照常办理，偷税要查。" for n in range(8)]
LIFE = [f"市民在公园散步，第{n}天，天气很好，生活很有意思，孩子们在草地上玩。" for n in range(40)]
Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/a.db"


@pytest.fixture
def stored(address: str) -> str:
    store = open_store(address)
    bodies = [("tax.example", body) for body in TAX] + [("life.example", body) for body in LIFE]
    store.upsert(
        PAGES,
        [
            {"key": f"{n:020}", "url": f"https://{host}/{n}", "host": host, "title": body[:12], "body": body}
            for n, (host, body) in enumerate(bodies)
        ],
    ).result()
    store.close()
    return address


@pytest.fixture
def run(tmp_path: Path, address: str, scrapy: Run) -> Run:
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics" / "tax.yaml").write_text(TOPIC, encoding="utf-8")

    return partial(scrapy, "topic", STORE=address, TOPICRAWL_SETTINGS_DIR=str(tmp_path))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_terms_that_pages_in_a_language_cannot_match_are_listed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "topics" / "tax.yaml"
    english = TOPIC.replace("增值税", "{word: 增值税, synonyms: [VAT]}") + "languages: [zh, en]\n"
    path.write_text(english.replace("印花税", "总税"), encoding="utf-8")
    _, errors, code = run("show", "tax")
    assert "总税" in errors
    assert "增值税" not in errors
    assert "cannot match pages in English" in errors
    assert code == 0


def test_the_preview_shows_what_a_crawl_would_fetch_first_and_why(address: str, run: Run, tmp_path: Path) -> None:
    """The link that names the topic comes first; a page that is not stored is named, and its links are unknown."""
    home, links = "https://news.example/", [("/p/1", "市民公园"), ("/p/2", "增值税"), ("/tags/印花税/", "印花税")]
    tags = "".join(f'<p><a href="{path}">{text}</a></p>' for path, text in links)
    pages = {
        home: tags,
        "https://news.example/p/2": f"<title>增值税</title><article>{f'<p>{TAX[0]}</p>' * 9}</article>",
    }
    with closing(open_store(address)) as store:
        for url, html in pages.items():
            row = {"body": zstandard.compress(html.encode()), "compression": "zstd", "charset": "utf-8"}
            store.upsert(SOURCES, [{"key": url_key(url), **row}]).result()
        rows = [
            {"key": f"{n:020}", "url": f"https://o.example/{n}", "title": "", "body": "税务局" if n < 9 else "公园"}
            for n in range(60)
        ]
        store.upsert(PAGES, rows).result()
    (tmp_path / "starts.txt").write_text("news.example", encoding="utf-8")
    limits = {"SITE_MAX_DEPTH": 5, "SITE_MAX_PAGES_PER_HOST": 100}
    out, errors, code = run("preview", "tax", "--urls", str(tmp_path / "starts.txt"), **limits)
    assert code == 0
    fetched = [line.split()[-1] for line in out.splitlines() if line[:3].strip().isdigit()]
    assert fetched[0] == home
    assert fetched[-1].endswith("/p/1")
    assert "linked from https://news.example/; a list, name 0.9" in out
    assert "requests: 4; of stored pages: 2; pages that would be kept: 2" in out
    assert "more than a tenth of 60 stored pages of other subjects" in errors
    assert "税务局 (15%)" in errors
    assert "only 4 terms" in errors
    assert run("preview", "tax")[2] == 1


def test_words_of_the_topics_sites(stored: str, run: Run) -> None:
    out, err, code = run("words", "tax")
    words = [row["word"] for row in rows(out)]
    assert code == 0
    assert "申报" in words
    assert "公园" not in words
    assert "of 8 pages" in err
    assert "公园" in [row["word"] for row in rows(run("words", "tax", "--all")[0])]


def test_pages_of_other_subjects_propose_no_terms(address: str, run: Run) -> None:
    store = open_store(address)
    store.upsert(PAGES, [{"key": f"{n:020}", "url": f"https://life.example/{n}", "title": body[:12], "body": body}
                         for n, body in enumerate(LIFE)]).result()  # fmt: skip
    store.close()
    out, err, code = run("expand", "tax", "--from", "pages,newwords")
    assert (out, code) == ("", 0)
    assert "holds no page of the topic tax" in err


def test_from_expansion_over_a_spreadsheet_to_accepted_terms(stored: str, run: Run, tmp_path: Path) -> None:
    out, err, code = run("expand", "tax")
    assert code == 0
    assert "pages: " in err
    assert "申报" in out
    sheet = tmp_path / "review.csv"
    assert run("review", "tax", "--write", str(sheet))[2] == 0
    candidates = rows(sheet.read_text(encoding="utf-8"))
    assert {"申报", "办理"} <= {row["word"] for row in candidates}
    assert all(row["origin"] and row["word"] in row["example"] for row in candidates)
    lines = sheet.read_text(encoding="utf-8-sig").splitlines()
    decided = [line.replace("申报,,professional", "申报,accept,subject") for line in lines]
    sheet.write_text("\r\n".join(line.replace("办理,,", "办理,reject,") for line in decided), encoding="utf-8-sig")
    assert "1 accepted, 1 rejected" in run("review", "tax", "--read", str(sheet), "--by", "ann")[1]
    shown = run("show", "tax")[0]
    assert "1 accepted, 1 rejected" in shown
    assert shown.index("subject:") < shown.index("申报") < shown.index("professional:")
    again = run("expand", "tax")[0]
    assert "办理" not in [line.split()[1] for line in again.splitlines()]


def test_a_library_goes_out_and_comes_back(stored: str, run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# 人工\n稽查\n逃税\n=HYPERLINK(1)\n", encoding="gb18030")
    assert "2 accepted, 1 in the topic's file already" in run("import", "tax", str(words))[1]
    out = tmp_path / "library.csv"
    run("export", "tax", "-o", str(out))
    exported = rows(out.read_text(encoding="utf-8"))
    assert [row["word"] for row in exported if row["decision"] == "given"] == ["税务局", "增值税", "印花税", "偷税"]
    assert [row["word"] for row in exported if row["decision"] == "accept"] == ["'=HYPERLINK(1)", "稽查"]
    assert "2 accepted" in run("import", "tax", str(out), "--candidates")[1]
    piped = run("export", "tax")[0]
    assert [row["word"] for row in rows(piped)] == [row["word"] for row in exported]


def test_sites_can_be_imported(stored: str, run: Run, tmp_path: Path) -> None:
    sites = tmp_path / "sites.csv"
    sites.write_text("name,url\n公园,https://life.example/\n", encoding="utf-8")
    assert "1 sites" in run("import", "tax", str(sites), "--sites")[1]
    assert "公园" in [row["word"] for row in rows(run("words", "tax")[0])]


def test_why_a_page_is_relevant(stored: str, run: Run, tmp_path: Path) -> None:
    url = "https://tax.example/1.html"
    html = f"<title>{TAX[0][:12]}</title><nav><a href=/>税务局</a></nav><h1>公告</h1><p>{TAX[0] * 5}</p>"
    store = open_store(stored)
    body = zstandard.ZstdCompressor().compress(html.encode())
    store.upsert(SOURCES, [{"key": url_key(url), "body": body, "compression": "zstd", "charset": "utf-8"}]).result()
    store.close()
    out, _, code = run("why", "tax", url)
    assert code == 0
    assert "threshold 0.5: strongly relevant" in out
    assert "增值税" in out
    assert "content" in out
    saved = tmp_path / "page.html"
    saved.write_text("<title>公园</title><p>市民在公园散步。</p>", encoding="utf-8")
    assert "irrelevant: its content is not kept" in run("why", "tax", str(saved))[0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("words", "nosuch"), "There is no topic nosuch"),
        (("words", "tax"), "holds no page of tax.example"),
        (("expand", "tax", "--from", "stars"), "there is no 'stars'"),
        (("expand", "tax", "--top", "0"), "must be 1 or more"),
        (("import", "tax", "nosuch.csv"), "nosuch.csv: cannot be read"),
        (("why", "tax", "nosuch.html"), "nosuch.html cannot be read or written: No such file or directory"),
        (("review", "tax", "--read", "nosuch.csv"), "cannot be read"),
    ],
)
def test_mistakes_are_said(run: Run, words: Sequence[str], sentence: str) -> None:
    _, err, code = run(*words)
    assert sentence in err
    assert code == 1
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        ("word,decision\n稽查,maybe\n", "line 2, decision: 'maybe'"),
        ("word,class\n稽查,tax\n", "line 2, class: 'tax'"),
        ("word,weight\n\n稽查,7\n", "line 3, weight"),
        ("term,decision\n稽查,accept\n", "no column `word`"),
        ("word,decision\n", "contains no terms"),
        ("", "contains no terms"),
    ],
)
def test_mistakes_in_a_sheet_are_said(run: Run, tmp_path: Path, sheet: str, sentence: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(sheet, encoding="utf-8")
    _, err, code = run("import", "tax", str(path))
    assert sentence in err
    assert code == 1


def test_topics_are_listed_and_help_has_examples(run: Run) -> None:
    assert run("show")[0].split() == ["tax"]
    assert "scrapy topic review tax" in run("--help")[0]


class Terminal:
    """Answers as a person would, and keeps what was told."""

    def __init__(self, *answers: str) -> None:
        self._answers: Iterator[str] = iter(answers)
        self.told: list[str] = []

    def ask(self, _: str) -> str:
        try:
            return next(self._answers)
        except StopIteration:
            raise KeyboardInterrupt from None


@pytest.fixture
def book(address: str) -> Iterator[TermStore]:
    store: Store = open_store(address)
    made = TermStore(store, Topic("tax", (Term("增值税"),)))
    candidates = [TermCandidate(word, 9.0 - n, 0.4, 5, f"{word}。") for n, word in enumerate(("关税", "天气", "稽查"))]
    made.save_candidates(made.library().propose(candidates, "pages", datetime(2026, 11, 1, tzinfo=UTC)))
    yield made
    store.close()


def reviewed(book: TermStore, *answers: str) -> Terminal:
    terminal = Terminal(*answers)
    Review(book, terminal.ask, terminal.told.append, "ann").run()
    return terminal


def test_review_in_the_terminal(book: TermStore) -> None:
    terminal = reviewed(book, "s", "what", "r", "w 0.9")
    library = book.library()
    assert [(entry.term.word, entry.term.term_class) for entry in library.entries(TermState.ACCEPTED)] == [
        ("关税", TermClass.SUBJECT),
        ("稽查", TermClass.PROFESSIONAL),
    ]
    assert [entry.term.word for entry in library.entries(TermState.REJECTED)] == ["天气"]
    assert library.entries(TermState.ACCEPTED)[1].term.weight == 0.9
    assert any("1/3  关税" in line for line in terminal.told)


def test_a_decision_can_be_taken_back_and_an_interrupt_loses_none(book: TermStore) -> None:
    reviewed(book, "a", "u", "r")
    library = book.library()
    assert [entry.term.word for entry in library.entries(TermState.REJECTED)] == ["关税"]
    assert len(library.entries(TermState.CANDIDATE)) == 2
    assert book.version() > 0


def test_words_of_pages_that_engines_answered_are_proposed(run: Run, stored: str) -> None:
    store = open_store(stored)
    searched = "跨境电商的综合税收要按海关清单申报，保税仓库出区时由海关清单核对。" * 3
    targets = [f"https://customs.example/{number}" for number in range(6)]
    store.upsert(
        PAGES,
        [
            {"key": url_key(url), "url": url, "host": "customs.example", "title": "", "body": searched}
            for url in targets
        ],
    ).result()
    answers = [
        {"query": "q", "key": str(number), "crawl": "metasearch-tax", "url": url, "target": url, "rank": number}
        for number, url in enumerate(targets[:3])
    ]
    wrapped = {"query": "q", "key": "9", "crawl": "metasearch-tax", "url": "https://engine.example/link?9", "rank": 9}
    store.upsert(
        RESULTS, [*answers, wrapped | {"target": targets[4]}, wrapped | {"key": "10", "target": None}]
    ).result()
    store.close()
    _, told, code = run("expand", "tax", "--from", "search")
    assert code == 0
    assert "search" in told
    candidates = rows(run("export", "tax")[0])
    searched_for = [row for row in candidates if row["origin"] == "search"]
    assert {"海关", "清单"} & {row["word"] for row in searched_for}
    assert all(row["pages"] == "4" and row["word"] in row["example"] for row in searched_for)


def test_learns_from_pages_that_are_stored(run: Run, address: str, tmp_path: Path) -> None:
    store = open_store(address)
    addresses: dict[bool, list[str]] = {True: [], False: []}
    for number, (wanted, body) in enumerate([*((True, body) for body in TAX), *((False, body) for body in LIFE[:8])]):
        url = f"https://site{number}.example/p/{number}.html"
        addresses[wanted].append(url)
        source = zstandard.compress(f"<title>{body[:9]}</title><article>{f'<p>{body}</p>' * 5}</article>".encode())
        row = {"key": url_key(url), "body": source, "compression": "zstd", "charset": "utf-8"}
        store.upsert(SOURCES, [row]).result()
    store.close()
    (tmp_path / "yes.txt").write_text("\n".join(addresses[True]), encoding="utf-8")
    (tmp_path / "no.txt").write_text("\n".join(addresses[False]), encoding="utf-8")
    out, err, code = run("learn", "tax", "--like", str(tmp_path / "yes.txt"), "--unlike", str(tmp_path / "no.txt"))
    assert (code, err) == (0, "")
    assert "8 pages that are wanted, 8 that are not" in out
    assert "both" in out
    out, _, _ = run("why", "tax", addresses[True][0])
    assert "by the topic's examples" in out


def test_marks(run: Run) -> None:
    _, err, code = run("mark", "tax", "https://tax.example/1", "yes")
    assert (code, "scrapy topic learn tax" in err) == (0, True)
    _, err, code = run("mark", "tax", "https://tax.example/1", "perhaps")
    assert (code, "yes or no" in err) == (1, True)
    _, err, code = run("mark", "tax", "0" * 20, "no")
    assert (code, "name the page by its address" in err) == (1, True)
    out, _, code = run("review", "tax", "--pages")
    assert (code, out.startswith("0 pages")) == (0, True)
