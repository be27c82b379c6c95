"""What a spider is asked for on the command line, checked before anything starts."""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from extractors.links.urls import canonical_url, host_of

SITE_ARGUMENTS = ("url", "urls", "allow", "max_pages", "depth", "crawl", "topic")


class ArgumentError(ValueError):
    """An argument is wrong; the message says which and what would be right."""


@dataclass(frozen=True, slots=True)
class SiteArguments:
    """A checked set of arguments; 0 means no limit."""

    urls: tuple[str, ...]
    allow: tuple[str, ...]
    max_pages: int
    depth: int
    crawl: str
    topic: str


def site_arguments(**given: str) -> SiteArguments:
    """Raises ArgumentError with a sentence for a person."""
    unknown = sorted(set(given) - set(SITE_ARGUMENTS) - {"_job"})  # scrapyd names each job so
    if unknown:
        raise ArgumentError(f"There is no argument {unknown[0]!r}. There are: {', '.join(SITE_ARGUMENTS)}.")
    urls = tuple(dict.fromkeys([*_split(given.get("url", "")), *_from_file(given.get("urls", ""))]))
    if not urls and not given.get("topic") and not given.get("crawl"):
        raise ArgumentError(
            "Say where to begin: -a url=https://some.site/ or -a urls=FILE with an address on each line; or name a "
            "crawl that others feed: -a crawl=NAME."
        )
    starts = tuple(_checked_url(url) for url in urls)
    return SiteArguments(
        urls=starts,
        allow=tuple(_split(given.get("allow", ""))),
        max_pages=_number("max_pages", given.get("max_pages", "")),
        depth=_number("depth", given.get("depth", "")),
        crawl=given.get("crawl", "") or _name_of(starts, given.get("topic", "")),
        topic=given.get("topic", ""),
    )


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _from_file(name: str) -> list[str]:
    if not name:
        return []
    try:
        lines = Path(name).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"The file of addresses {name} cannot be read: {error}.") from error
    found = [line.split()[0].split(",")[0] for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise ArgumentError(f"The file {name} holds no addresses; it needs one on each line.")
    return found


def _checked_url(url: str) -> str:
    checked = canonical_url(url if "://" in url else f"https://{url}")
    if not checked or ("." not in host_of(checked) and ":" not in host_of(checked) and host_of(checked) != "localhost"):
        raise ArgumentError(f"{url!r} is no web address; write it like https://some.site/.")
    return checked


def _number(name: str, text: str) -> int:
    if not text:
        return 0
    if not text.isdigit() or int(text) == 0:
        raise ArgumentError(f"{name} must be a whole number above 0, not {text!r}.")
    return int(text)


def _name_of(urls: tuple[str, ...], topic: str) -> str:
    """A crawl of the same start pages has the same name, and so goes on where it was."""
    seed = blake2b("\n".join([topic, *sorted(urls)]).encode(), digest_size=4).hexdigest()
    return f"site-{topic or host_of(urls[0])}-{seed}"
