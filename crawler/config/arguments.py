"""The arguments of the spiders (`-a NAME=VALUE`), checked before a crawl starts."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from pathlib import Path

from extractors.links.urls import canonical_url, host_of

_LIMITS = {
    "max_pages": "end after this many pages read, by all nodes together; the same command continues",
    "depth": "links from a start page",
    "crawl": "name of the crawl, by which it continues; else made from the other arguments",
}
_SOURCES = {"sources": "names of files in settings/sources, whose lists are read; several with commas"}
SITE_ARGUMENTS = {
    "url": "start page, or a list as JSON or a feed; several with commas",
    "urls": "file of start pages, one a line",
    **_SOURCES,
    "topic": "name of a file in settings/topics: pages are judged by it, and its seeds are the start pages",
    "allow": "further domains, or URL prefixes that limit the crawl; several with commas",
    **_LIMITS,
    "workers": "processes that read pages, to use more cores; 0: none; auto, the default: when one core is saturated and others are idle",
}
WATCH_ARGUMENTS = {
    "sites": "file of start pages of the sites to watch, one a line",
    "url": "start page of a site; several with commas",
    **_SOURCES,
    "topic": "name of a file in settings/topics: its seeds are watched too, and sources with on-topic pages come first",
    "crawl": "name of the watch, by which it continues; else made from the other arguments",
}
SEARCH_ARGUMENTS = {
    "topic": "name of a file in settings/topics, whose terms are searched for",
    "terms": "file of terms, one a line, instead of a topic",
    "engines": "names of search engines; several with commas",
    "sites": "file of hosts on which each term is also searched",
    **_SOURCES,
    "pages": "pages of results of each query (3)",
    "since": "results since this day, like 2026-11-01",
    "language": "language of results, like zh",
    **_LIMITS,
}
"""The meaning of each argument, for `scrapy crawl --help`."""
MAX_WORKERS = 64
JOB = "_job"
"""Scrapyd passes the name of the job to every spider."""


class ArgumentError(ValueError):
    """An argument is wrong; the message says which one and what is expected."""


@dataclass(frozen=True, slots=True)
class SiteArguments:
    """Checked arguments of the spider `site`; 0 means no limit.

    Attributes:
        guessed: scheme and host of start pages that were given without a scheme.
        sources: names of files in settings/sources.
        workers: processes that read pages; 0: the crawl's own process reads them; None: as many as there is work for.
    """

    urls: tuple[str, ...]
    allow: tuple[str, ...]
    max_pages: int
    depth: int
    crawl: str
    topic: str
    guessed: tuple[str, ...] = ()
    workers: int | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchArguments:
    """Checked arguments of the spider `watch`; without start pages it watches every accepted site."""

    starts: tuple[str, ...]
    topic: str
    crawl: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchArguments:
    """Checked arguments of the spider `metasearch`; `max_pages` and `depth` are passed on to the crawl of sites."""

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
    sources: tuple[str, ...] = ()


def site_arguments(**given: str) -> SiteArguments:
    """Raises ArgumentError with a message for the operator."""
    _refuse_unknown(given, SITE_ARGUMENTS)
    urls = tuple(dict.fromkeys([*_split(given.get("url", "")), *_urls_of_file(given.get("urls", ""))]))
    sources = tuple(_split(given.get("sources", "")))
    if not urls and not sources and not given.get("topic") and not given.get("crawl"):
        raise ArgumentError(
            "Give a start page: -a url=https://some.site/, or -a urls=FILE with one address per line, or the name of a "
            "crawl that gets its start pages from other programs: -a crawl=NAME."
        )
    starts = tuple(_checked_url(url) for url in urls)
    return SiteArguments(
        urls=starts,
        allow=tuple(_split(given.get("allow", ""))),
        max_pages=_number("max_pages", given.get("max_pages", "")),
        depth=_number("depth", given.get("depth", "")),
        crawl=given.get("crawl", "") or _crawl_name((*starts, *sources), given.get("topic", "")),
        topic=given.get("topic", ""),
        guessed=tuple(
            "/".join(start.split("/")[:3]) for url, start in zip(urls, starts, strict=True) if "://" not in url
        ),
        workers=_workers(given.get("workers", "")),
        sources=sources,
    )


def watch_arguments(**given: str) -> WatchArguments:
    """Raises ArgumentError with a message for the operator."""
    _refuse_unknown(given, WATCH_ARGUMENTS)
    found = dict.fromkeys([*_split(given.get("url", "")), *_urls_of_file(given.get("sites", ""))])
    starts, topic = tuple(map(_checked_url, found)), given.get("topic", "")
    sources = tuple(_split(given.get("sources", "")))
    named = (*starts, *sources)
    name = _crawl_name(named, topic).replace("site-", "watch-", 1) if named or topic else "watch-all"
    return WatchArguments(starts, topic, given.get("crawl") or name, sources)


def search_arguments(**given: str) -> SearchArguments:
    """Raises ArgumentError with a message for the operator."""
    _refuse_unknown(given, SEARCH_ARGUMENTS)
    topic, terms = given.get("topic", ""), given.get("terms", "")
    if not topic and not terms:
        raise ArgumentError("Say what to search for: -a topic=NAME (settings/topics/NAME.yaml) or -a terms=FILE.")
    crawl = given.get("crawl") or f"metasearch-{Path(topic or terms).stem}"
    limits = {name: given.get(name, "") for name in ("max_pages", "depth")}
    site_arguments(crawl=crawl, **limits)
    return SearchArguments(
        topic=topic or Path(terms).stem,
        terms=terms,
        engines=tuple(_split(given.get("engines", ""))),
        sites=_hosts_of_file(given.get("sites", "")),
        pages=_number("pages", given.get("pages", "3"), required=True),
        since=_day(given.get("since", "")),
        language=given.get("language", ""),
        crawl=crawl,
        sources=tuple(_split(given.get("sources", ""))),
        **limits,
    )


def _refuse_unknown(given: dict[str, str], known: Iterable[str]) -> None:
    if unknown := sorted(set(given) - {*known, JOB}):
        raise ArgumentError(f"There is no argument {unknown[0]!r}. There are: {', '.join(known)}.")


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _lines(name: str, content: str) -> list[str]:
    """The lines of a file without empty lines and comments."""
    try:
        lines = Path(name).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        advice = f" For a single address use -a url={name}." if "://" in name else ""
        raise ArgumentError(f"The file of {content} {name} cannot be read: {error}.{advice}") from error
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _urls_of_file(name: str) -> list[str]:
    if not name:
        return []
    found = [line.split()[0].split(",")[0] for line in _lines(name, "addresses")]
    if not found:
        raise ArgumentError(f"The file {name} has no addresses; it needs one per line.")
    return found


def _hosts_of_file(name: str) -> tuple[str, ...]:
    if not name:
        return ()
    hosts = (line.split("://")[-1].split("/")[0].strip().lower() for line in _lines(name, "sites"))
    return tuple(dict.fromkeys(host for host in hosts if host))


def _checked_url(url: str) -> str:
    """The URL. Without a scheme, a single word is refused: it is more likely a mistake than a host of the local network."""
    checked = canonical_url(url if "://" in url else f"https://{url}")
    host = host_of(checked)
    if not checked or ("://" not in url and "." not in host and ":" not in host and host != "localhost"):
        if not checked:
            raise ArgumentError(f"{url!r} is not a web address; write it like https://some.site/.")
        raise ArgumentError(
            f"{url!r} is not a web address; write it like https://some.site/, and a host of your own network like http://{host}/"
        )
    return checked


def _number(name: str, text: str, *, required: bool = False) -> int:
    if not text and not required:
        return 0
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentError(f"{name} must be a whole number above 0, not {text!r}.")
    return int(text)


def _workers(text: str) -> int | None:
    if text in ("", "auto"):
        return None
    if not text.isdecimal():
        raise ArgumentError(f"workers must be a whole number, or auto, not {text!r}.")
    if (number := int(text)) > MAX_WORKERS:
        raise ArgumentError(
            f"workers must be at most {MAX_WORKERS}, not {text!r}; more than the number of cores would not help."
        )
    return number


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise ArgumentError(f"since must be a day like 2026-11-01, not {text!r}.") from None


def _crawl_name(urls: tuple[str, ...], topic: str) -> str:
    """A name that depends only on the start pages, so that a restarted crawl continues."""
    seed = blake2b("\n".join([topic, *sorted(urls)]).encode(), digest_size=4).hexdigest()
    return f"site-{topic or host_of(urls[0]) or urls[0]}-{seed}"
