"""`scrapy engines`: the search engines, and whether their result pages can still be read."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from scrapy import Request
from scrapy.exceptions import UsageError

from crawler.command_line import FetchingCommand, say, say_aside, write_out
from crawler.config import shown
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.download.one_shot import fetch_request
from crawler.engines.catalog import EngineCatalog, read_catalog, sample
from crawler.engines.protocol.engine import Engine, EngineAnswer, EngineQuery, Reply
from crawler.engines.protocol.reading import read_answer
from crawler.engines.protocol.result_dates import published
from crawler.proxies.proxy_lists import ProxyError, read_list
from crawler.sources.templates import KeyMissingError

_WORDS = {"results": "works", "none": "empty", "blocked": "blocked", "layout_changed": "layout changed"}


class Command(FetchingCommand):
    """Lists and tests engines."""

    examples = (
        "scrapy engines list                               all engines, and those that a search uses",
        "scrapy engines test                               read the saved sample of each engine",
        "scrapy engines test bing --live 'river report'    search now, over the network",
        "scrapy engines test bing --file saved.html        read a saved result page",
    )
    usage = "list|test [NAME] [options]"
    summary = "List search engines, or test whether their result pages can be read"
    description = "The result of a test is one of: works, empty, blocked, layout changed."

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to test")
        group.add_argument(
            "--live", default="", metavar="QUERY", help="send this query to the engine, once, over the network"
        )
        group.add_argument(
            "--file", default="", metavar="PAGE", help="read this saved result page instead of the sample"
        )

    def run(self, args: list[str], opts: Namespace) -> None:
        """Raises UsageError for wrong arguments; the exit code is 1 if a tested engine does not work."""
        if not args or args[0] not in ("list", "test") or len(args) > 2:
            raise UsageError("Use: scrapy engines list, or scrapy engines test [NAME]", print_help=False)
        engines = self._engines(args[1] if len(args) == 2 else "")
        if args[0] == "list":
            usual = self.values.getlist("METASEARCH_ENGINES")
            say("\n".join(_descriptions(self.catalog, usual, os.environ)))
            return
        if (opts.live or opts.file) and len(engines) != 1:
            raise UsageError("--live and --file need the name of one engine", print_help=False)
        for engine in engines.values():
            self._try(engine, opts)

    def _engines(self, name: str) -> dict[str, Engine]:
        try:
            self.catalog = read_catalog(settings_folder(self.values) / "engines")
        except DeclarationError as error:
            raise UsageError(str(error), print_help=False) from None
        engines = dict(self.catalog.engines)
        if name and name not in engines:
            raise UsageError(f"There is no engine {name!r}. There are: {', '.join(sorted(engines))}.", print_help=False)
        if name:
            return {name: engines[name]}
        return {each: engine for each, engine in engines.items() if each not in self.catalog.off}

    def _try(self, engine: Engine, opts: Namespace) -> None:
        try:
            reply = self._reply(engine, opts)
        except FileNotFoundError:
            say(f"{engine.about.name:14} no sample: try --live QUERY or --file PAGE")
            return
        except (KeyMissingError, OSError) as error:
            say_aside(f"{engine.about.name}: {error}")
            self.exitcode = 1
            return
        answer = read_answer(engine, reply)
        if answer.kind not in ("results", "none"):
            self.exitcode = 1
        write_out(_report(engine, answer, with_results=bool(opts.live or opts.file)))

    def _reply(self, engine: Engine, opts: Namespace) -> Reply:
        if opts.file:
            try:
                body = Path(opts.file).read_bytes()
            except OSError as error:
                raise OSError(f"{opts.file} cannot be read: {error.strerror}") from None
            return Reply(f"https://{engine.about.host or 'search.example'}/search", 200, body)
        return self._asked(engine, opts.live) if opts.live else sample(engine)

    def _asked(self, engine: Engine, words: str) -> Reply:
        asking = engine.request(EngineQuery(words), os.environ)
        request = Request(
            asking.url,
            method=asking.method,
            headers=dict(asking.headers),
            cookies=dict(asking.cookies),
            body=asking.body,
            meta={"dont_redirect": True, "dont_obey_robotstxt": True, **self._proxy(engine)},
        )
        fetched = fetch_request(self.process, request)
        if fetched.error:
            raise OSError(f"no answer: {fetched.error}")
        return Reply(fetched.url, fetched.status, fetched.body, fetched.headers)

    def _proxy(self, engine: Engine) -> dict[str, str]:
        """The first of the engine's proxies, never a direct connection. Raises OSError if the list cannot be used."""
        if not (name := engine.about.proxies):
            return {}
        try:
            return {"proxy": read_list(self.values, name)[0].url}
        except ProxyError as error:
            raise OSError(str(error)) from None


def _descriptions(catalog: EngineCatalog, usual: Iterable[str], keys: Mapping[str, str]) -> Iterator[str]:
    """A line per engine, starting with those that a search uses, in their order."""
    asked = catalog.chosen((), [name for name in usual if name in catalog.engines])
    for name in [*asked, *sorted(catalog.engines.keys() - asked.keys())]:
        state = "asked" if name in asked else "off" if name in catalog.off else "-"
        yield _description(catalog.engines[name], state, keys)


def _description(engine: Engine, state: str, keys: Mapping[str, str]) -> str:
    about = engine.about
    missing = [name for name in about.needs if not keys.get(name)]
    own = [
        about.language,
        about.time_range and f"within {about.time_range}",
        about.proxies and f"through {about.proxies}",
    ]
    more = [*filter(None, own), *([f"needs {', '.join(missing)}"] if missing else [])]
    pace = f"every {about.delay:g} s, backoff {about.backoff:g} s"
    return "  ".join(
        [f"{about.name:14} {shown(state):6} {about.host or shown('(yours)'):24}  {about.pages:3} pages  {pace}", *more]
    )


def _report(engine: Engine, answer: EngineAnswer, with_results: bool) -> str:
    summary = shown(f"{len(answer.results):3} results  {answer.reason}")
    lines = [f"{engine.about.name:14} {shown(_WORDS[answer.kind]):15} {summary}"]
    if with_results:
        now = datetime.now(UTC)
        dated = [(result, published(result, engine.about, now)) for result in answer.results]
        lines += [f"  {result.rank:3}  {day[:10]:10}  {result.url}  {result.title}" for result, day in dated]
    return "\n".join(lines)
