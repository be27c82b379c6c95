"""`scrapy source`: what is understood of a list, recipes for it, and their tests."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from crawler.command_line import FetchingCommand, say, write_out
from crawler.config import shown
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.download.one_shot import Fetched, download, fetch_request
from crawler.exit_status import ExitCode
from crawler.sources.list_addresses import ListAddress
from crawler.sources.list_answers import read_source
from crawler.sources.recipe_text import recipe_text, test_text, with_test
from crawler.sources.source_catalog import SourceCatalog, read_sources
from crawler.sources.source_requests import prepared
from crawler.sources.templates import KeyMissingError
from crawler.sources.trying import Tried, answer_path, check_saved, try_answer
from extractors.feeds import FeedEntry
from extractors.links.urls import canonical_url

_VERBS = "try URL|NAME, record NAME, check [NAME], list"
_MAX_TITLE_CHARS, _MAX_SHOWN = 60, 50


class Command(FetchingCommand):
    """Tries, records and checks sources."""

    examples = (
        "scrapy source try https://some.site/list.json                what is understood, and a recipe",
        "scrapy source try https://some.site/ --like 'A title' --like 'Another'    find the list by its titles",
        "scrapy source try https://some.site/list.json --save NAME    write settings/sources/NAME.yaml, with a test",
        "scrapy source try NAME                                       what the recipe reads now",
        "scrapy source record NAME                                    save the present answer as the recipe's test",
        "scrapy source check                                          read all saved answers again",
        "scrapy source list                                           all sources",
    )
    usage = "try|record|check|list [URL|NAME] [options]"
    summary = "Try a list of pages, propose a recipe for it, and test recipes"
    description = "Lists of any shape: JSON, feeds, HTML. The exit code is 7 for a list that cannot be read."

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to try")
        group.add_argument(
            "--like", action="append", default=[], metavar="TITLE", help="a title on the list; may be repeated"
        )
        group.add_argument("--file", default="", metavar="ANSWER", help="read this saved answer instead of fetching it")
        group.add_argument("--save", default="", metavar="NAME", help="save the recipe and the answer as its test")
        group.add_argument("--json", action="store_true", help="print JSON")

    def run(self, args: list[str], opts: Namespace) -> None:
        """Raises UsageError for wrong arguments."""
        verb, rest = (args[0], args[1:]) if args else ("", [])
        lengths = {"try": (1,), "record": (1,), "check": (0, 1), "list": (0,)}
        if len(rest) not in lengths.get(verb, ()):
            raise UsageError(f"Use: scrapy source {_VERBS}", print_help=False)
        try:
            self.catalog = read_sources(self.values)
            if verb == "list":
                write_out("\n".join(_described(self.catalog)))
            elif verb == "check":
                self._check(rest)
            elif verb == "record":
                self._record(rest[0], opts)
            else:
                self._try(rest[0], opts)
        except (DeclarationError, KeyMissingError) as error:
            raise UsageError(str(error), print_help=False) from None
        except OSError as error:
            self.fail(error, ExitCode.NOTHING)

    # -- try ---------------------------------------------------------------------------------------------------------------

    def _try(self, place: str, opts: Namespace) -> None:
        address, url = self._address(place)
        fetched = self._answer(address, url, opts)
        now = datetime.now(UTC)
        if address is None or opts.like:
            tried = try_answer(fetched.body, fetched.url, fetched.content_type, now, opts.like)
        else:
            read = read_source(fetched.body, fetched.url, address.source.recipe, fetched.content_type, now)
            tried = Tried(read.feed, read.recipe, read.fault)
        proposed = "" if address is not None and not opts.like else _proposed(url, tried)
        if opts.json:
            write_out(json.dumps(_as_json(url, tried, proposed), ensure_ascii=False))
        else:
            _show(url, tried, proposed)
        if tried.feed is None or not tried.feed.entries:
            self.fail(f"{url}: {tried.fault or 'the list is empty'}", ExitCode.NOTHING)
        elif opts.save:
            self._save(opts.save, proposed, tried, fetched)

    def _address(self, place: str) -> tuple[ListAddress | None, str]:
        """The page of a source, if the place is its name or its address, and the address."""
        now = datetime.now(UTC)
        if place in self.catalog.sources:
            found = next(self.catalog.first_addresses(self.catalog.named([place]), now))
            return found, found.url
        url = canonical_url(place if "://" in place else f"https://{place}")
        if "://" not in place and "." not in place:
            self.catalog.named([place])  # says which names there are
        if not url:
            raise UsageError(f"{place!r} is not a web address", print_help=False)
        return self.catalog.of(url), place if "://" in place else url

    def _answer(self, address: ListAddress | None, url: str, opts: Namespace) -> Fetched:
        """Raises OSError if there is no answer."""
        if opts.file:
            return Fetched(url, Path(opts.file).read_bytes(), status=200)
        fetched = self._fetched(address, Request(url))
        if fetched.error or fetched.status != 200:
            raise OSError(f"{url} has no answer: {fetched.error or f'HTTP {fetched.status}'}")
        return fetched

    def _fetched(self, address: ListAddress | None, request: Request) -> Fetched:
        if address is None:
            return fetch_request(self.process, request)
        first = address.source.visit_first
        return fetch_request(self.process, prepared(request, address), _visit_of(first) if first else None)

    # -- record and check ----------------------------------------------------------------------------------------------

    def _record(self, name: str, opts: Namespace) -> None:
        (source,) = self.catalog.named([name])
        if not isinstance(source.path, Path):
            raise UsageError(f"{source.path} is in an archive; copy it to your settings folder first", print_help=False)
        address, url = self._address(name)
        fetched = self._answer(address, url, opts)
        read = read_source(fetched.body, fetched.url, source.recipe, fetched.content_type, datetime.now(UTC))
        if read.feed is None or not read.feed.entries:
            self.fail(f"{url}: {read.fault or 'the list is empty'}; nothing was saved", ExitCode.NOTHING)
            return
        saved = _write_answer(source.path.parent, name, fetched)
        test = test_text(saved, replace(read.feed), _today())
        source.path.write_text(with_test(source.path.read_text("utf-8"), test), "utf-8")
        say(f"{name}: {len(read.feed.entries)} items; the answer is {source.path.parent / saved}")

    def _save(self, name: str, proposed: str, tried: Tried, fetched: Fetched) -> None:
        folder = Path(str(settings_folder(self.values) / "sources"))
        path = folder / f"{name}.yaml"
        if not proposed or path.exists() or not name.replace("_", "").replace("-", "").isalnum():
            raise UsageError(f"{path} cannot be written: it exists, or {name!r} is no name", print_help=False)
        folder.mkdir(parents=True, exist_ok=True)
        saved = _write_answer(folder, name, fetched)
        assert tried.feed is not None
        path.write_text(proposed + test_text(saved, tried.feed, _today()), "utf-8")
        say(f"{path} and {folder / saved} are written. Try: scrapy source check {name}")

    def _check(self, names: list[str]) -> None:
        for source in self.catalog.named(names or self.catalog.sources):
            difference = check_saved(source)
            if difference:
                self.fail(f"{source.name:24} {difference}")
            else:
                assert source.test is not None
                say(f"{source.name:24} ok, {source.test.items} items as of {source.test.date}")


def _visit_of(url: str) -> Any:
    """Visits a page for its cookies, whatever it answers, before the request itself."""

    async def visit(crawler: Crawler) -> None:
        try:
            await download(crawler, Request(url))
        except Exception:  # the list may be readable without a cookie
            return

    return visit


def _write_answer(folder: Path, name: str, fetched: Fetched) -> str:
    """Save an answer; returns its path relative to the folder."""
    path = answer_path(folder, name, fetched.body, fetched.content_type)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(fetched.body)
    return str(path.relative_to(folder))


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _proposed(url: str, tried: Tried) -> str:
    return recipe_text(url, tried.recipe) if tried.recipe is not None else ""


def _as_json(url: str, tried: Tried, proposed: str) -> dict[str, Any]:
    entries = tried.feed.entries if tried.feed is not None else ()
    items = [entry._asdict() | {"time": entry.published} for entry in entries]
    return {"url": url, "items": items, "recipe": proposed, "fault": tried.fault}


def _show(url: str, tried: Tried, proposed: str) -> None:
    entries = tried.feed.entries if tried.feed is not None else ()
    if entries:
        say(f"{len(entries)} items at {url}")
        write_out("\n".join(_line(place, entry) for place, entry in enumerate(entries[:_MAX_SHOWN], 1)))
        if len(entries) > _MAX_SHOWN:
            say(f"  … {len(entries) - _MAX_SHOWN} more")
    if proposed:
        say("\nA recipe (--save NAME writes it to settings/sources/NAME.yaml):\n")
        write_out(proposed)


def _line(place: int, entry: FeedEntry) -> str:
    facts = [
        shown(f"heat {entry.heat:g}") if entry.heat is not None else "",
        entry.author,
        shown("with text") if entry.body else "",
    ]
    more = f"  ({', '.join(filter(None, facts))})" if any(facts) else ""
    return f"{place:4}  {entry.published[:16] or '-':16}  {entry.title[:_MAX_TITLE_CHARS]}  {entry.url}{more}"


def _described(catalog: SourceCatalog) -> list[str]:
    return [
        f"{name:24} {shown('hot list' if source.is_hot else 'list'):9} {source.url}"
        for name, source in catalog.sources.items()
    ] or [shown("There are no sources: settings/sources/NAME.yaml")]
