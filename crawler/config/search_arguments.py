"""What the meta-search is asked for on the command line."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from crawler.config.arguments import ArgumentError, site_arguments

NAMES = ("topic", "terms", "engines", "sites", "pages", "since", "crawl", "max_pages", "depth", "language")


@dataclass(frozen=True, slots=True)
class SearchArguments:
    """A checked set of arguments."""

    topic: str
    terms: str
    engines: tuple[str, ...]
    sites: tuple[str, ...]
    pages: int
    since: date | None
    language: str
    crawl: str
    max_pages: str
    depth: str


def search_arguments(**given: str) -> SearchArguments:
    """Raises ArgumentError with a sentence for a person."""
    unknown = sorted(set(given) - set(NAMES) - {"_job"})
    if unknown:
        raise ArgumentError(f"There is no argument {unknown[0]!r}. There are: {', '.join(NAMES)}.")
    topic, terms = given.get("topic", ""), given.get("terms", "")
    if not topic and not terms:
        raise ArgumentError("Say what to search for: -a topic=NAME (settings/topics/NAME.yaml) or -a terms=FILE.")
    pages = given.get("pages", "3")
    if not pages.isdigit() or int(pages) == 0:
        raise ArgumentError(f"pages must be a whole number above 0, not {pages!r}.")
    crawl = given.get("crawl") or f"metasearch-{Path(topic or terms).stem}"
    site_arguments(crawl=crawl, max_pages=given.get("max_pages", ""), depth=given.get("depth", ""))
    return SearchArguments(
        topic=topic or Path(terms).stem,
        terms=terms,
        engines=tuple(name.strip() for name in given.get("engines", "").split(",") if name.strip()),
        sites=_sites(given.get("sites", "")),
        pages=int(pages),
        since=_day(given.get("since", "")),
        language=given.get("language", ""),
        crawl=crawl,
        max_pages=given.get("max_pages", ""),
        depth=given.get("depth", ""),
    )


def _sites(name: str) -> tuple[str, ...]:
    if not name:
        return ()
    try:
        lines = Path(name).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"The file of sites {name} cannot be read: {error}.") from error
    hosts = (line.split("://")[-1].split("/")[0].strip().lower() for line in lines if not line.startswith("#"))
    return tuple(dict.fromkeys(host for host in hosts if host))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise ArgumentError(f"since must be a day like 2026-11-01, not {text!r}.") from None
