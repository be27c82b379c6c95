"""Main text: the default, both published methods and the peers that are installed, on every set of pages.

The column "unseen" is the default on sites that it has not seen: by folds, as the shipped weights note it (`python -m
benchmarks.train_article`), and as measured where a set was not trained on.

    python -m benchmarks.articles [--set zh-news --set aeb] [--method default] [--limit 50] [--keep build/articles]
        [--shared ../shared]

Accuracy is measured with the shared scorer; CPU per page is that of each extractor from the page's bytes, measured one
extractor after another in one run, so quote the ratios. A peer that finds out charsets gets bytes; one that takes text
gets it decoded as ours is. A peer that takes longer than a minute of CPU for a page has failed on it.
Peers: pip install 'topicrawl[bench]' rs-trafilatura. (rs-trafilatura has a source package alone: pip builds it with Rust, in
about ten minutes. Its kinds of pages were learned from WCXB, and its gold text is by the same author.)
"""

import argparse
import importlib.util
import json
import math
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.trainable import ARTICLE_SETS
from extractors.kernels.forest import Forest
from extractors.page import Page

OWN = {
    "default": "extractors.article:main_text",
    "density": "extractors.article:density_text",
    "decay": "extractors.article:decay_text",
}
PEERS = {
    "trafilatura": "trafilatura",
    "readability": "readability",
    "resiliparse": "resiliparse",
    "newspaper4k": "newspaper",
    "justext": "justext",
    "boilerpy3": "boilerpy3",
    "gne": "gne",
    "rs-trafilatura": "rs_trafilatura",
}
PUBLISHED = {
    "density": (0.9040, "1,104 Chinese news pages, 998 of them basically right as a person judged"),
    "decay": (
        0.9512,
        "3,018 pages of 7 sites, right as a person judged: at most a sentence or a tenth more than the text",
    ),
}
WEIGHTS = Path(__file__).resolve().parent.parent / "extractors" / "article" / "data" / "body.npz"
Results = dict[str, dict[str, dict[str, float]]]
"""By extractor, set and measure."""
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_FEW = 100
CHINESE = ("zh-news", "zh-blogs", "zh-gb", "zh-cleaneval")
LONGEST = 60
"""CPU seconds that a peer may take for a page."""


@contextmanager
def limited(seconds: float = LONGEST) -> Iterator[None]:
    """Raises TimeoutError inside the block after this many seconds of CPU; only in the main thread."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"took more than {seconds} s of CPU")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@limited()
def trafilatura(body: bytes, url: str = "") -> str:
    """trafilatura with its own defaults."""
    from trafilatura import extract

    return extract(body, url=url or None) or ""


@limited()
def readability(body: bytes) -> str:
    """readability-lxml's summary, its markup taken off."""
    from lxml import html
    from readability import Document

    text: str = html.fromstring(Document(Page(body).text).summary()).text_content()
    return text


@limited()
def resiliparse(body: bytes) -> str:
    """resiliparse's plain text of the main content."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    text: str = extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True)
    return text


@limited()
def newspaper4k(body: bytes, url: str = "") -> str:
    """newspaper4k's article text; the language is passed for Chinese pages, where it finds nothing otherwise."""
    from newspaper import Article

    text = Page(body).text
    language = {"language": "zh"} if _is_chinese(text) else {}
    article = Article(url or "http://example.org/", fetch_images=False, **language)
    article.download(input_html=text)
    article.parse()
    return str(article.text)


@limited()
def justext(body: bytes) -> str:
    """jusText's good paragraphs with English stop words; on Chinese pages without, as it advises for such languages."""
    from justext import get_stoplist
    from justext import justext as paragraphs_of

    if _is_chinese(Page(body).text):
        paragraphs = paragraphs_of(body, frozenset(), stopwords_low=0, stopwords_high=0)
    else:
        paragraphs = paragraphs_of(body, get_stoplist("English"))
    return "\n".join(each.text for each in paragraphs if not each.is_boilerplate)


def _is_chinese(text: str) -> bool:
    """More Chinese characters than a foreign name or a menu of languages has."""
    return len(_CHINESE.findall(text)) > _FEW


@limited()
def boilerpy3(body: bytes) -> str:
    """boilerpy3's article extractor."""
    from boilerpy3.extractors import ArticleExtractor

    text: str = ArticleExtractor(raise_on_failure=False).get_content(Page(body).text)
    return text


@limited()
def gne(body: bytes) -> str:
    """GNE's general news extractor, on the same decoded text as ours."""
    from gne import GeneralNewsExtractor

    return str(GeneralNewsExtractor().extract(Page(body).text)["content"])


@limited()
def rs_trafilatura(body: bytes, url: str = "") -> str:
    """rs-trafilatura's main content, on the same decoded text as ours, which is more than it finds out of charsets by itself."""
    from rs_trafilatura import extract

    return str(extract(Page(body).text, url=url or None).main_content or "")


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--set", action="append", dest="sets", default=[])
    ask.add_argument("--method", action="append", dest="methods", default=[], help=f"of {', '.join([*OWN, *PEERS])}")
    ask.add_argument("--limit", type=int, default=0, help="pages per set")
    ask.add_argument("--keep", type=Path, help="a folder: what was measured into it before is not measured again")
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    args = ask.parse_args()
    if not (args.shared / "score" / "articles.py").exists():
        sys.exit(f"The pages and their scorer are not at {args.shared}; say where with --shared.")
    results = {}
    for name, function in _functions(args.methods).items():
        kept = args.keep / f"{name}.json" if args.keep else None
        if kept is None or not kept.exists():
            print(f"measuring {name} …", file=sys.stderr, flush=True)
        results[name] = _score(args.shared, function, args.sets, args.limit, kept)
    if "default" in results:
        results = {"unseen": _unseen(results["default"]), **results}
    _print_tables(results)
    _print_published(results)


def _unseen(measured: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """F1 and the share of right pages of each set by folds; NaN for kinds of pages in a set that was trained on."""
    nothing = dict.fromkeys(("F1", "right", "with", "without", "failed", "ms", "p95"), math.nan)
    known = Forest.load(WEIGHTS).provenance
    folds = known.scores if known else {}
    found = {}
    for group, line in measured.items():
        by_folds = {name: folds.get(f"{name} {group}", math.nan) for name in ("F1", "right")}
        found[group] = nothing | (by_folds if group.partition(".")[0] in ARTICLE_SETS else line)
    return found


def _print_tables(results: Results) -> None:
    _print_table("F1", results, lambda line: f"{line['F1']:.3f}")
    _print_table("right: all of the text and at most 10 % extra", results, lambda line: f"{line['right']:.3f}")
    _print_table("snippets found / kept out", results, lambda line: f"{line['with']:.3f}/{line['without']:.3f}")
    _print_table("pages on which it failed", results, lambda line: f"{line['failed']:.0f}")
    _print_table(
        "CPU ms per page, median / 95th percentile", results, lambda line: f"{line['ms']:.1f}/{line['p95']:.1f}"
    )
    if "trafilatura" in results:
        shares = _shares(results)
        title = "CPU as a share of trafilatura's, median / 95th percentile"
        _print_table(title, shares, lambda line: f"{line['ms']:.3f}/{line['p95']:.3f}")


def _shares(results: Results) -> Results:
    """CPU per page divided by trafilatura's in the same run."""
    base = results["trafilatura"]
    return {
        name: {group: {key: line[key] / base[group][key] for key in ("ms", "p95")} for group, line in lines.items()}
        for name, lines in results.items()
    }


def _print_published(results: Results) -> None:
    """What the authors of the two methods published beside what they reach here."""
    print("\nPublished methods: share of pages that are right")
    for name, (figure, pages) in PUBLISHED.items():
        lines = results.get(name, {})
        here = ", ".join(f"{group} {lines[group]['right']:.3f}" for group in CHINESE if group in lines)
        print(f"{name:10} published {figure:.4f} ({pages}); here {here or 'not measured'}")


def _functions(wanted: list[str]) -> dict[str, str]:
    installed = {
        name: f"benchmarks.articles:{name.replace('-', '_')}"
        for name, module in PEERS.items()
        if importlib.util.find_spec(module)
    }
    functions = {**OWN, **installed}
    for name in sorted(set(PEERS) - set(installed)):
        print(f"{name} is not installed: left out", file=sys.stderr)
    return {name: function for name, function in functions.items() if not wanted or name in wanted}


def _score(shared: Path, function: str, sets: list[str], limit: int, kept: Path | None) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        out = kept or Path(folder) / "scores.json"
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, str(shared / "score" / "articles.py"), function, "--json", str(out)]
            command += [part for name in sets for part in ("--set", name)] + (["--limit", str(limit)] if limit else [])
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        scores: dict[str, dict[str, float]] = json.loads(out.read_text())
        return scores


def _print_table(title: str, results: Results, cell: Callable[[dict[str, float]], str]) -> None:
    print(f"\n{title}\n{'set':22}" + "".join(f"{name:>14}" for name in results))
    for group in next(iter(results.values()), {}):
        cells = [cell(lines[group]) for lines in results.values()]
        if not all("nan" in text for text in cells):
            print(f"{group:22}" + "".join(f"{text:>14}" for text in cells))


if __name__ == "__main__":
    main()
