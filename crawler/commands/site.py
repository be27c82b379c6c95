"""`scrapy site`: rules for the pages of one site, tried, checked and recorded."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import yaml
from scrapy.exceptions import UsageError

from crawler.checks.rules_by_example import declared, fields_of, proposed, read_by
from crawler.command_line import FetchingCommand, say, say_aside
from crawler.config import shown
from crawler.config.sites import SavedPage, Sites, read_sites
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.download.one_shot import fetch_page
from crawler.printed_tables import print_table
from extractors.links.urls import host_of
from extractors.page import Page, SiteRules

_USE = "Use: scrapy site try URL|FILE, scrapy site check [HOST], or scrapy site record HOST URL|FILE"
_MAX_SHOWN_CHARS = 90
_ORIGINS = {"rule": "rule", "usual": "usual", "missing": "usual; rule finds nothing", "": ""}
_FOLDER = "tests"
"""Of saved pages, beside the files of sites."""


class Command(FetchingCommand):
    """Reads pages by the rules in settings/sites; `record` adds to a site's file."""

    examples = (
        "scrapy site try https://paper.example/1.html                        each field, and where it is from",
        "scrapy site try https://paper.example/1.html --like 'First words' --like 'Last words'    a rule by example",
        "scrapy site try page.html --url https://paper.example/1.html --title 'Bridge talk' --time '5 March 2024'",
        "scrapy site record paper.example https://paper.example/1.html       save the page as a test of the rules",
        "scrapy site check                                                   run the tests of all sites",
    )
    usage = "try|check|record [HOST] [URL|FILE] [options]"
    summary = "Try, record and check the rules by which a site's pages are read"
    description = (
        "The rules are the keys article, records and test of settings/sites/HOST.yaml. `check` ends with exit code 1 if a "
        "saved page is not read as its test says."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to propose, by the words that the page shows")
        group.add_argument(
            "--like",
            action="append",
            default=[],
            metavar="WORDS",
            help="words of the text, best its first and its last",
        )
        group.add_argument("--title", default="", metavar="WORDS", help="the title")
        group.add_argument("--author", default="", metavar="WORDS", help="the author")
        group.add_argument("--time", default="", metavar="WORDS", help="the time, as shown")
        group.add_argument("--url", default="", help="the address of a FILE")

    def run(self, args: list[str], opts: Namespace) -> None:
        """Raises UsageError for wrong arguments."""
        try:
            sites = read_sites(self.values)
        except DeclarationError as error:
            raise UsageError(str(error), print_help=False) from None
        match args:
            case ["try", source]:
                self._try(sites, source, opts)
            case ["check"] | ["check", _]:
                self._check(sites, args[1].lower() if len(args) == 2 else "")
            case ["record", host, source]:
                self._record(sites, host.lower(), source, opts.url)
            case _:
                raise UsageError(_USE, print_help=False)

    def _try(self, sites: Sites, source: str, opts: Namespace) -> None:
        page = self._page(source, opts.url)
        host = host_of(page.url)
        rules = sites.rules(host) if host else None
        say(f"Rules: {f'settings/sites/{rules.name}.yaml ({rules})' if rules else 'none'}")
        _show(_with(page, rules))
        fields = {name: getattr(opts, name) for name in ("title", "author", "time") if getattr(opts, name)}
        if not opts.like and not fields:
            return
        rule = proposed(page, opts.like, fields)
        for name in ({"body"} if opts.like else set()) | fields.keys():
            if name not in rule:
                say_aside(f"No element has the words given for {name}.")
                self.exitcode = 1
        if rule:
            name = host.removeprefix("www.") or "HOST"
            say(f"\nProposed for settings/sites/{name}.yaml:\n\n{declared(rule)}")
            _show(read_by(page, name, rule))

    def _check(self, sites: Sites, host: str) -> None:
        if host and host not in sites.named:
            raise UsageError(f"There is no settings/sites/{host}.yaml.", print_help=False)
        folder = settings_folder(self.values) / "sites"
        rows = [
            (name, saved.page, "; ".join(_faults(folder.joinpath(saved.page), saved, name, site.rules(name))))
            for name, site in sorted(sites.named.items())
            if host in ("", name)
            for saved in site.test
        ]
        if not rows:
            say("No saved pages: `scrapy site record HOST URL` saves one.")
            return
        print_table(
            ("site", "page", "result"), ((name, page, shown(fault or "as it should be")) for name, page, fault in rows)
        )
        self.exitcode = int(any(fault for _, _, fault in rows))

    def _record(self, sites: Sites, host: str, source: str, url: str) -> None:
        path = Path(str(settings_folder(self.values) / "sites" / f"{host}.yaml"))
        if host not in sites.named or not path.is_file():
            raise UsageError(f"There is no {path}; write the rules of the site first.", print_help=False)
        page = self._page(source, url)
        read = _with(page, sites.rules(host))
        number = 1 + len(sites.named[host].test)
        saved = path.parent / _FOLDER / f"{host}-{number}.html"
        while saved.exists():
            number += 1
            saved = saved.with_name(f"{host}-{number}.html")
        text = _with_test(path.read_text(encoding="utf-8"), _entry(read, f"{_FOLDER}/{saved.name}"))
        if text is None:
            raise UsageError(
                f"{path} has `test` in a form that cannot be added to; write it as a list.", print_help=False
            )
        saved.parent.mkdir(exist_ok=True)
        saved.write_bytes(page.body)
        path.write_text(text, encoding="utf-8")
        say(f"Saved as {saved}; its test is in {path}. Correct there what is not right:")
        _show(read)

    def _page(self, source: str, url: str) -> Page:
        """The page of an address or a file, without rules. Raises UsageError if it cannot be read."""
        if source.startswith(("http://", "https://")):
            fetched = fetch_page(self.process, source)
            if fetched.error or fetched.status != 200:
                raise UsageError(f"{source}: {fetched.error or f'HTTP {fetched.status}'}", print_help=False)
            return Page(fetched.body, fetched.url, content_type=fetched.content_type)
        try:
            return Page(Path(source).read_bytes(), url)
        except OSError as error:
            raise UsageError(f"{source} cannot be read: {error.strerror}", print_help=False) from None


def _with(page: Page, rules: SiteRules | None) -> Page:
    """The page, read by rules."""
    return Page(page.body, page.url, content_type=page.content_type, fetched_at=page.fetched_at, rules=rules)


def _show(page: Page) -> None:
    """Each field, where it is from, and its value."""
    rows = [(name, shown(_ORIGINS[origin]), _value_text(name, value)) for name, origin, value in fields_of(page)]
    print_table(("field", "from", "value"), rows)


def _value_text(name: str, value: str) -> str:
    if not value:
        return shown("not found")
    return f"{shown(f'{len(value):,} characters')}: {_short(value)}" if name == "body" else value


def _short(text: str) -> str:
    line = " ".join(text.split())
    half = _MAX_SHOWN_CHARS // 2
    return line if len(line) <= _MAX_SHOWN_CHARS else f"{line[:half]} … {line[-half:]}"


def _faults(path: object, saved: SavedPage, host: str, rules: SiteRules | None) -> Iterator[str]:
    """The deviations from the test, a sentence each."""
    try:
        body = path.read_bytes()  # type: ignore[attr-defined]  # a path on disk or in an egg
    except OSError as error:
        yield f"cannot be read: {error.strerror}"
        return
    at = datetime.fromisoformat(saved.read_at) if saved.read_at else datetime.now(UTC)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    page = Page(body, saved.url or f"https://{host}/", fetched_at=at, rules=rules)
    article = page.article
    for name, wanted, found in (
        ("title", saved.title, article.title),
        ("author", saved.author, article.author),
        ("time", saved.time, article.published),
    ):
        if wanted is not None and wanted != found:
            yield f"{name} is {_short(found)!r}, not {_short(wanted)!r}"
    text = " ".join(article.text.split())
    yield from (f"the text lacks {_short(words)!r}" for words in saved.text_has if " ".join(words.split()) not in text)
    yield from (f"the text has {_short(words)!r}" for words in saved.text_lacks if " ".join(words.split()) in text)
    if saved.records is not None and saved.records != len(page.records.records):
        yield f"{len(page.records.records)} records, not {saved.records}"


def _entry(page: Page, name: str) -> str:
    """The test of a page as it is read now, one line of YAML."""
    article, lines = page.article, [line for line in page.article.text.split("\n") if line.strip()]
    values: dict[str, object] = {
        "page": name,
        "url": page.url,
        "read_at": page.fetched_at.isoformat(timespec="seconds"),
        "title": article.title,
        "author": article.author,
        "time": article.published,
        "text_has": list(dict.fromkeys(line[:60].strip() for line in (*lines[:1], *lines[-1:]))),
    }
    if page.records.records:
        values["records"] = len(page.records.records)
    values = {name: value for name, value in values.items() if value}
    return yaml.safe_dump(values, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6).strip()


def _with_test(text: str, entry: str) -> str | None:
    """The text of a site's file with one more test; None if its tests are not a list with a line for each."""
    lines = text.rstrip("\n").split("\n")
    heads = [number for number, line in enumerate(lines) if line.startswith("test:")]
    if not heads:
        return "\n".join([*lines, "test:", f"  - {entry}"]).lstrip("\n") + "\n"
    if lines[heads[0]].split("#")[0].strip() != "test:":
        return None
    following = lines[heads[0] + 1] if heads[0] + 1 < len(lines) else "  -"
    indent = following[: len(following) - len(following.lstrip())]
    return "\n".join([*lines[: heads[0] + 1], f"{indent}- {entry}", *lines[heads[0] + 1 :]]) + "\n"
