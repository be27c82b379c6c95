"""Page relevance before and after expansion, accepted pages with the static and the extended library, and what it costs.

python -m benchmarks.topic                          three Chinese topics over the served web of real sites
python -m benchmarks.topic --topics ml --top 30
python -m benchmarks.topic --write terms            the accepted terms go to terms/NAME.csv

Pages are read from the packed web; each topic's library is expanded from the same pages, without a look at their labels,
and the review accepts the first candidates as they stand. Average precision is that of all pages that are no lists; pages
that the labels leave open are left out. Published for the extended against the static library: +23.74 % precision,
+24.28 % recall, +24.43 % F.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.config.topics import read_topic
from crawler.terms.corpus import texts
from crawler.terms.expansion import SOURCES, ExpansionLimits, expand
from crawler.terms.term_files import TermLine, import_decisions, to_csv
from crawler.terms.term_store import TermStore
from extractors.links.urls import host_of, url_key
from extractors.page import Page
from extractors.topic import words
from extractors.topic.concepts import ConceptFinder
from extractors.topic.etfl import EtflRelevance
from extractors.topic.lexicon import WordTable, background_idf, background_share
from extractors.topic.library import TermState, TopicLibrary
from extractors.topic.model import Term, Topic
from extractors.topic.relevance import Relevance
from extractors.topic.thesaurus import cilin
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.served_web import add_arguments, unpacked

TOPICS = Path(__file__).parent / "topics"
_TIMED = 400
_MANY = 5_000
_OF_ART = 0.01
"""Share of all pages on which a term of art stands at most."""
_BATCH = 500


@dataclass(slots=True)
class Labelled:
    """What is known of a page, and what was judged of it by topic."""

    url: str
    labels: frozenset[str]
    grey: frozenset[str]
    listing: bool
    static: dict[str, float] = field(default_factory=dict)
    published: dict[str, float] = field(default_factory=dict)
    extended: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Quality:
    """Average precision; precision, recall and F of the pages accepted at the topic's threshold."""

    average: float
    precision: float
    recall: float

    @property
    def f(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)


def quality(relevant: NDArray[np.bool_], scores: NDArray[np.float64], threshold: float) -> Quality:
    """Of scores against labels."""
    ranked = relevant[np.argsort(-scores, kind="stable")]
    hits = np.cumsum(ranked)
    average = float((hits[ranked] / (np.flatnonzero(ranked) + 1)).mean()) if ranked.any() else 0.0
    accepted = scores >= threshold
    right = float((relevant & accepted).sum())
    return Quality(average, right / max(1, int(accepted.sum())), right / max(1, int(relevant.sum())))


def read_web(folder: Path, split: str, part: str) -> Iterator[tuple[Labelled, Page]]:
    """Each page of a part of the web, with its labels."""
    for line in (folder / f"pages-{split}.jsonl").read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        if row["web"] == part:
            known = Labelled(row["url"], frozenset(row["labels"]), frozenset(row["grey"]), row["listing"])
            yield known, Page((folder / row["file"]).read_bytes(), row["url"])


def judge_static(
    pages: Iterable[tuple[Labelled, Page]], topics: Sequence[Topic], store: Store
) -> tuple[list[Labelled], list[float]]:
    """Judge with the experts' terms, store title and text; CPU milliseconds of blocks and relevance, page already read."""
    judges = {topic.name: (Relevance(topic), EtflRelevance(topic, background_idf)) for topic in topics}
    judged, costs, batch = [], [], []
    for known, page in pages:
        article, _ = page.article, page.columns
        for name, (relevance, published) in judges.items():
            begun = time.process_time()
            known.static[name] = relevance.judge(page).score
            costs.append(1_000 * (time.process_time() - begun))
            known.published[name] = published.score(page)
        judged.append(known)
        batch.append(
            {"key": url_key(known.url), "url": known.url, "host": host_of(known.url), "title": article.title}
            | {"body": article.text}
        )
        if len(batch) == _BATCH:
            store.upsert(PAGES, batch).result()
            batch = []
    store.upsert(PAGES, batch).result()
    return judged, costs


def extended(topic: Topic, store: Store, sources: Sequence[str], asked: ExpansionLimits, accepted: int) -> TopicLibrary:
    """The topic's library after an expansion whose review accepts the first candidates."""
    words.use_engine("auto", reset=True)
    book = TermStore(store, topic)
    expand(book, store, cilin(term.word for term in topic.terms), sources, asked)
    first = book.library().entries(TermState.CANDIDATE)[:accepted]
    import_decisions(book, (TermLine(0, entry.term.word, TermState.ACCEPTED) for entry in first), by="benchmark")
    return book.library()


def lexicon_seconds(store: Store) -> tuple[int, int, float]:
    """Pages, content words, and CPU seconds of the lexicon of all stored pages."""
    begun = time.process_time()
    table = WordTable()
    for text in texts(store, "lexicon"):
        table.add(text.whole)
    found = table.words(background_share)
    return table.documents, len(found), time.process_time() - begun


def cost_of_terms(pages: Sequence[Page], topic: Topic, store: Store) -> list[tuple[str, float]]:
    """CPU milliseconds a page with 30 terms; with 5,000 that no page holds; with 5,000 that stand on one page in a hundred
    each at most; with 5,000 common words, of which a page holds hundreds."""
    table, whole = WordTable(), []
    for text in texts(store, "terms"):
        table.add(text.whole)
        whole.append(text.whole)
    common = sorted(table.document_count, key=lambda word: (-table.document_count[word], word))
    often = [word for word in common if table.document_count[word] <= table.documents / 20][:_MANY]
    rare = _of_art([word for word in common if table.document_count[word] > 1], whole)
    chosen = {"30 terms": rare[:: max(1, len(rare) // 20)][:20], "5,000 terms of art": rare[:_MANY]}
    chosen |= {"5,000 absent terms": _absent(rare), "5,000 common words": often}
    judges = {name: _with_words(topic, found) for name, found in chosen.items()}
    return [(name, min(_milliseconds(judge, pages) for _ in range(5))) for name, judge in judges.items()]


def _of_art(found: Sequence[str], whole: Sequence[str]) -> list[str]:
    """Those that stand, also within longer words, on at most one page in a hundred; the most frequent first."""
    finder = ConceptFinder([Term(word) for word in found])
    counts = np.zeros(len(found), dtype=np.int64)
    for text in whole:
        counts[np.unique(finder.find([text])[1])] += 1
    kept = np.flatnonzero((counts > 0) & (counts <= len(whole) * _OF_ART))
    return [found[place] for place in kept[np.argsort(-counts[kept], kind="stable")].tolist()]


def _absent(found: Sequence[str]) -> list[str]:
    """Words of the same characters that stand on no page: each with its own beginning behind it."""
    return [f"{word[::-1]}{word}{place}" for place, word in enumerate(found[:_MANY])]


def _with_words(topic: Topic, found: Iterable[str]) -> Relevance:
    return Relevance(replace(topic, terms=(*topic.terms, *map(Term, found))))


def _milliseconds(relevance: Relevance, pages: Sequence[Page]) -> float:
    begun = time.process_time()
    for page in pages:
        relevance.judge(page)
    return 1_000 * (time.process_time() - begun) / max(1, len(pages))


def measure(options: argparse.Namespace, work: Path) -> None:
    """All of it."""
    topics = [read_topic(options.folder / f"{name}.yaml") for name in options.topics]
    web = unpacked(options, work)
    store = open_store(f"sqlite:///{work}/topic.db")
    pages, costs = judge_static(read_web(web, options.split, options.part), topics, store)
    asked = ExpansionLimits(options.top, options.most)
    libraries = [extended(topic, store, options.sources.split(","), asked, options.accept) for topic in topics]
    _write(libraries, options.write)
    grown = [library.topic() for library in libraries]
    judges = [Relevance(topic) for topic in grown]
    sample = []
    for known, (_, page) in zip(pages, read_web(web, options.split, options.part), strict=True):
        if not known.listing:
            known.extended = {judge.topic.name: judge.judge(page).score for judge in judges}
        if len(sample) < _TIMED and hash(known.url) % 8 == 0:
            sample.append(page)
    _print_quality(pages, topics, grown)
    print(f"\nblocks and relevance, page already read: {statistics.median(costs):.2f} ms median, "
          f"{statistics.mean(costs):.2f} ms mean CPU a page")  # fmt: skip
    timed = cost_of_terms(sample, topics[0], store)
    for name, milliseconds in timed:
        print(f"{name:20}{milliseconds:6.2f} ms mean CPU a page, {milliseconds / timed[0][1]:.2f} times")
    documents, count, seconds = lexicon_seconds(store)
    print(f"lexicon of {documents:,} pages: {count:,} content words in {seconds:.1f} s CPU")
    store.close()


def _write(libraries: Sequence[TopicLibrary], folder: Path | None) -> None:
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        for library in libraries:
            sheet = to_csv(library.entries(TermState.ACCEPTED))
            (folder / f"{library.given.name}.csv").write_text(sheet, encoding="utf-8")


def _print_quality(pages: Sequence[Labelled], topics: Sequence[Topic], grown: Sequence[Topic]) -> None:
    head = "".join(f"{name:>7}" for name in ("AP", "P", "R", "F"))
    print(f"{'topic':10}{'library':12}{'terms':>6}{head}   gains of P, R, F (published +23.74, +24.28, +24.43 %)")
    for topic, after in zip(topics, grown, strict=True):
        name = topic.name
        kept = [page for page in pages if not page.listing and name not in page.grey]
        relevant = np.array([name in page.labels for page in kept])
        published, static, extended = (
            quality(relevant, np.array([getattr(page, column)[name] for page in kept]), topic.threshold)
            for column in ("published", "static", "extended")
        )
        print(f"{name:10}{'etfl':12}{len(topic.terms):6}{published.average:7.3f}")
        print(f"{'':10}{'static':12}{len(topic.terms):6}{_values(static)}")
        print(f"{'':10}{'extended':12}{len(after.terms):6}{_values(extended)}   {_gains(static, extended)}")


def _values(found: Quality) -> str:
    return f"{found.average:7.3f}{found.precision:7.3f}{found.recall:7.3f}{found.f:7.3f}"


def _gains(before: Quality, after: Quality) -> str:
    pairs = ((before.precision, after.precision), (before.recall, after.recall), (before.f, after.f))
    return ", ".join(f"{100 * (new / max(old, 1e-9) - 1):+.2f} %" for old, new in pairs)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--topics", nargs="+", default=["ml", "finance", "travel"], help="files in --folder")
    parser.add_argument("--folder", type=Path, default=TOPICS, help="folder of topics (default: benchmarks/topics)")
    parser.add_argument("--part", default="zh", choices=("zh", "en"), help="part of the web that is judged")
    parser.add_argument("--sources", default="thesaurus,newwords,pages", help=f"of candidates: {', '.join(SOURCES)}")
    parser.add_argument("--top", type=int, default=20, help="best pages from which words are proposed (default: 20)")
    parser.add_argument("--most", type=int, default=60, help="candidates of each source (default: 60)")
    parser.add_argument("--accept", type=int, default=60, help="candidates that the review accepts (default: 60)")
    parser.add_argument("--write", type=Path, help="folder for the accepted terms, for benchmarks.focus --terms")
    with tempfile.TemporaryDirectory() as work:
        measure(parser.parse_args(), Path(work))


if __name__ == "__main__":
    main()
