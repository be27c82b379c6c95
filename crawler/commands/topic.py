"""`scrapy topic`: a topic's corpus, words, candidates and review, and why a page is relevant or not."""

import argparse
import csv
import getpass
import sys
from collections.abc import Callable
from pathlib import Path

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand, say, say_aside, whole_file, write_out
from crawler.commands._topic_options import add_topic_options
from crawler.commands._topic_preview import preview_lines
from crawler.config.topics import read_topic, sites_of, thesaurus_of, topic_names, topic_path
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.download.one_shot import fetch_page
from crawler.excepthook import close_stdout, not_written
from crawler.terms.corpus import hosts_of, imported_sites, site_list, texts
from crawler.terms.example_store import ExampleStore, stored_page
from crawler.terms.expansion import SOURCES as ORIGINS
from crawler.terms.expansion import ExpansionLimits, expand
from crawler.terms.learning import doubtful_lines, learn_topic, mark
from crawler.terms.review import Review, breadth_lines, library_lines, untranslated_lines, why_lines
from crawler.terms.term_files import TermFileError, import_decisions, read_sites, read_terms, to_csv
from crawler.terms.term_store import TermStore
from extractors.page import Page
from extractors.topic.lexicon import WordTable, background_share
from extractors.topic.library import TermState
from extractors.topic.model import Topic
from extractors.topic.relevance import Relevance
from extractors.topic.thesaurus import Thesaurus, ThesaurusError, cilin, read_thesaurus
from extractors.topic.words import add_words, use_engine
from pipelines.stores.base import Store, StoreError
from pipelines.stores.tables import SITES

_ACTIONS = {
    "corpus": 1,
    "words": 1,
    "expand": 1,
    "review": 1,
    "show": 1,
    "export": 1,
    "import": 2,
    "why": 2,
    "learn": 1,
    "mark": 3,
    "preview": 1,
}
"""Each action with the number of arguments that follow it."""


def _no_page_of(topic: str, store: str) -> str:
    return (
        f"warning: {store} holds no page of the topic {topic}; its pages, being of other subjects, propose no terms. "
        f"Crawl pages of the topic first, or lower its threshold; `scrapy topic why {topic} URL` explains a page."
    )


class Command(QuietCommand):
    """The steps of building a topic, one action each."""

    takes_arguments = True
    examples = (
        "scrapy topic show                            list all topics",
        "scrapy topic corpus tax                      crawl the sites that settings/topics/tax.yaml names",
        "scrapy topic words tax > words.csv           content words of these sites, the most typical first",
        "scrapy topic expand tax                      propose terms: thesaurus, best pages, new words",
        "scrapy topic review tax                      accept or reject candidates, one at a time",
        "scrapy topic review tax --write review.csv   review in a spreadsheet: fill in the column `decision`,",
        "scrapy topic review tax --read review.csv    … and import the decisions",
        "scrapy topic import tax words.txt            accept the terms of a file (CSV, or one per line)",
        "scrapy topic import tax sites.txt --sites    sites for the corpus",
        "scrapy topic export tax -o library.csv       all terms with class, weight, state, origin and example",
        "scrapy topic preview tax                     the first 50 pages that a crawl would fetch, by what is stored",
        "scrapy topic why tax https://some.site/1     the score of a page by term and by block",
        "scrapy topic learn tax --like yes.txt --unlike no.txt   learn from 5 to 500 examples of each kind",
        "scrapy topic review tax --pages              pages whose marks would teach most",
        "scrapy topic mark tax https://some.site/1 yes   mark a page as on topic (or no); then learn again",
    )
    usage = (
        "corpus|words|expand|review|show|export|learn|preview NAME | import NAME FILE | why NAME URL-OR-FILE "
        "| mark NAME URL-OR-KEY yes|no  [options]"
    )
    summary = "Build a topic's lexicon, expand and review its terms, explain relevance"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_topic_options(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Enables the log for the action `corpus`, which crawls."""
        super().process_options(args, opts)
        if args[:1] == ["corpus"]:
            self.values.set("LOG_ENABLED", True, priority="cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args == ["show"]:
            say(self._topics())
            return
        if not args or args[0] not in _ACTIONS or len(args) - 1 != _ACTIONS[args[0]]:
            raise UsageError(f"Use: scrapy topic {self.syntax()}; --help shows examples")
        try:
            action: Callable[..., None] = getattr(self, f"_{args[0]}")
            self._with_book(args[1], lambda book, store: action(book, store, opts, *args[2:]))
        except BrokenPipeError:
            close_stdout()
        except OSError as error:
            if not error.filename:  # standard output
                close_stdout()
            self.fail(
                f"{error.filename} cannot be read or written: {error.strerror}"
                if error.filename
                else not_written(error)
            )
        except (StoreError, DeclarationError, TermFileError, ThesaurusError, ValueError) as error:
            self.fail(error)
        except KeyboardInterrupt:
            self.fail("stopped; all decisions so far are stored", 130)

    def _with_book(self, name: str, action: Callable[[TermStore, Store], None]) -> None:
        self._path = topic_path(settings_folder(self.values), name)
        topic = read_topic(self._path)
        for line in untranslated_lines(topic):
            say_aside(line)
        use_engine(self.values.get("SEGMENTER", "auto"))
        with self.store(must_exist=False) as store:
            action(TermStore(store, topic), store)

    def _topics(self) -> str:
        folder = settings_folder(self.values) / "topics"
        return "\n".join(topic_names(folder)) or f"There are no topics in {folder}; each is a file NAME.yaml."

    # -- corpus and words -----------------------------------------------------------------------------------------------

    def _sites(self, store: Store, topic: Topic) -> list[str]:
        return [*(sites_of(self._path) or topic.seeds), *imported_sites(store, topic.name)]

    def _corpus(self, book: TermStore, store: Store, _: argparse.Namespace) -> None:
        sites = self._sites(store, book.given)
        if not sites:
            raise TermFileError(
                f"{self._path} names no sites; add `sites:` with their addresses, or import a list: "
                f"scrapy topic import {book.given.name} FILE --sites"
            )
        self.process.crawl("site", url=",".join(sites), crawl=f"{site_list(book.given.name)}-corpus")
        self.process.start()
        self.exitcode = int(self.process.bootstrap_failed)

    def _words(self, book: TermStore, store: Store, opts: argparse.Namespace) -> None:
        topic = book.library().topic()
        add_words(word for term in topic.terms for word in (term.word, *term.synonyms))
        hosts = [] if opts.all else hosts_of(self._sites(store, topic))
        table = WordTable()
        for text in texts(store, "counting words", hosts):
            table.add(text.whole)
        if not table.documents:
            raise StoreError(
                f"{store.location} holds no page of {', '.join(hosts) or 'any site'}; crawl first: "
                f"scrapy topic corpus {topic.name}, or take all pages: --all"
            )
        found = table.words(background_share)
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow(("word", "count", "documents", "keyness"))
        for word in found[: opts.limit or None]:
            rows.writerow((word.word, word.count, word.documents, f"{word.keyness:.2f}"))
        sys.stdout.flush()
        say_aside(f"{len(found):,} content words of {table.documents:,} pages")

    # -- expansion and review ---------------------------------------------------------------------------------------------

    def _expand(self, book: TermStore, store: Store, opts: argparse.Namespace) -> None:
        origins = [name.strip() for name in opts.origins.split(",") if name.strip()]
        if unknown := [name for name in origins if name not in ORIGINS]:
            raise TermFileError(f"--from: there is no {unknown[0]!r}; choose from {', '.join(ORIGINS)}")
        if opts.top < 1 or opts.most < 1:
            raise TermFileError("--top and --most must be 1 or more")
        asked = ExpansionLimits(opts.top, opts.most, opts.published)
        proposed, of_topic = expand(book, store, self._thesaurus(book), origins, asked)
        if not of_topic:
            say_aside(_no_page_of(book.given.name, store.location))
        for origin, entries in proposed.items():
            say_aside(f"{origin}: {len(entries)} candidates")
            for entry in entries:
                write_out(f"{entry.score:8.3f}  {entry.term.word}  {entry.example}")
        say_aside(f"next: scrapy topic review {book.given.name}")

    def _thesaurus(self, book: TermStore) -> Thesaurus:
        path = thesaurus_of(self._path)
        return read_thesaurus(path) if path else cilin(term.word for term in book.library().topic().terms)

    def _review(self, book: TermStore, store: Store, opts: argparse.Namespace) -> None:
        by = opts.by or getpass.getuser()
        if opts.pages:
            write_out("\n".join(doubtful_lines(store, book.given.name)))
        elif opts.read:
            say_aside(import_decisions(book, read_terms(Path(opts.read)), by=by))
        elif opts.write:
            waiting = book.library().entries(TermState.CANDIDATE)
            Path(opts.write).write_text(to_csv(waiting), encoding="utf-8", newline="")
            say_aside(f"{len(waiting):,} candidates in {opts.write}; fill in `decision`: accept or reject")
        else:
            review = Review(book, input, write_out, by)
            review.run()
            say_aside(f"{len(review.decided)} decided")

    # -- examples ---------------------------------------------------------------------------------------------------------

    def _mark(self, book: TermStore, store: Store, opts: argparse.Namespace, page: str, answer: str) -> None:
        say_aside(mark(store, book.given.name, page, answer, opts.by or getpass.getuser()))

    def _learn(self, book: TermStore, store: Store, opts: argparse.Namespace) -> None:
        examples = ExampleStore(store, book.given.name)
        for name, wanted in ((opts.like, True), (opts.unlike, False)):
            if name:
                urls = [url if "://" in url else f"https://{url}" for url in read_sites(Path(name))]
                examples.mark(urls, wanted=wanted, by=opts.by or getpass.getuser())
        if missing := [example.url for example in examples.all() if stored_page(store, example.url) is None]:
            say_aside(f"fetching {len(missing)} pages")
            crawl = f"{book.given.name}-examples"
            self.process.crawl("site", url=",".join(missing), crawl=crawl, max_pages=str(len(missing)))
            self.process.start()
        for line in learn_topic(store, book.library().topic()):
            say(line)

    # -- in and out -------------------------------------------------------------------------------------------------------

    def _show(self, book: TermStore, _: Store, __: argparse.Namespace) -> None:
        say("\n".join(library_lines(book.library(), book.version())))

    def _export(self, book: TermStore, _: Store, opts: argparse.Namespace) -> None:
        text = to_csv(book.library().entries(), book.given.terms)
        if opts.output:
            with whole_file(opts.output) as out:
                out.write(text.encode())
        else:
            write_out(text.removeprefix("\ufeff").rstrip())

    def _import(self, book: TermStore, store: Store, opts: argparse.Namespace, name: str) -> None:
        path = Path(name)
        if opts.sites:
            homes = [site if "://" in site else f"https://{site}/" for site in read_sites(path)]
            crawl, reason = site_list(book.given.name), f"imported from {path.name}"
            named = [{"host": host, "home": home} for home in homes for host in hosts_of([home])]
            store.upsert(SITES, [{"crawl": crawl, "state": "let_in", "reason": reason} | row for row in named]).result()
            say_aside(f"{len(homes):,} sites")
            return
        otherwise = TermState.CANDIDATE if opts.candidates else TermState.ACCEPTED
        say_aside(import_decisions(book, read_terms(path), by=opts.by or getpass.getuser(), otherwise=otherwise))

    # -- before a crawl ---------------------------------------------------------------------------------------------------

    def _preview(self, book: TermStore, store: Store, opts: argparse.Namespace) -> None:
        starts = (
            [url if "://" in url else f"https://{url}/" for url in read_sites(Path(opts.urls))] if opts.urls else []
        )
        if not (starts := starts or list(book.given.seeds)):
            raise TermFileError(f"The topic {book.given.name} has no seeds: name start pages with --urls FILE")
        for line in breadth_lines(store, book.library().topic()):
            say_aside(line)
        if opts.fetch and (missing := [url for url in starts if stored_page(store, url) is None]):
            say_aside(f"fetching {len(missing)} start pages")
            crawl = f"{book.given.name}-preview"
            self.process.crawl("site", url=",".join(missing), crawl=crawl, max_pages=str(len(missing)))
            self.process.start()
        for line in preview_lines(store, self.values, book.given, starts):
            say(line)

    # -- why --------------------------------------------------------------------------------------------------------------

    def _why(self, book: TermStore, store: Store, _: argparse.Namespace, source: str) -> None:
        page = self._page(store, source)
        if page is not None:
            write_out("\n".join(why_lines(page, Relevance(book.library().topic(), book.examples()))))

    def _page(self, store: Store, source: str) -> Page | None:
        """The page from a file or the database, fetched if it is not stored."""
        if not source.startswith(("http://", "https://")):
            return Page(Path(source).read_bytes())
        if page := stored_page(store, source):
            return page
        fetched = fetch_page(self.process, source)
        if fetched.error or fetched.status != 200:
            self.fail(f"{source} was not fetched: {fetched.error or f'HTTP {fetched.status}'}")
            return None
        return Page(fetched.body, fetched.url, content_type=fetched.content_type)
