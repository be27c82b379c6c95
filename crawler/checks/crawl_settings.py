"""Settings that make a crawl impolite or unsafe."""

from collections.abc import Iterator

from scrapy.settings import BaseSettings

from crawler.checks.finding import Finding
from crawler.frontier.opening import opener
from crawler.strategies import strategy_class


def robots(settings: BaseSettings) -> list[Finding]:
    """Whether robots.txt is obeyed, and whether site owners can reach the operator."""
    found = []
    if settings.getbool("ROBOTSTXT_OBEY"):
        found.append(Finding("ok", "Robots", "robots.txt is obeyed"))
    else:
        found.append(Finding("warning", "Robots", "robots.txt is not obeyed", "Set ROBOTSTXT_OBEY = True."))
    agent = str(settings["USER_AGENT"])
    if "@" not in agent and "http" not in agent:
        advice = (
            "Add an address where site owners can reach you: USER_AGENT = 'topicrawl/0.1 (+https://you.example/bot)'."
        )
        found.append(Finding("warning", "User agent", agent, advice))
    return found


def safety(settings: BaseSettings) -> list[Finding]:
    """Guards that are off."""
    found = list(_missing_guards(settings))
    return found or [Finding("ok", "Safety", "all guards are on")]


def _missing_guards(settings: BaseSettings) -> Iterator[Finding]:
    for name in ("TELNETCONSOLE_ENABLED", "REMOTE_CONTROL_ENABLED"):
        if settings.getbool(name):
            yield Finding(
                "warning", name, "lets others on this machine run code in the crawler", f"Set {name} = False."
            )
    if settings.getbool("ALLOW_PRIVATE_ADDRESSES"):
        message = "pages may send the crawler to this machine and its network"
        yield Finding("warning", "ALLOW_PRIVATE_ADDRESSES", message, "Set it to False unless you crawl an intranet.")
    for name, unit in (("DOWNLOAD_MAXSIZE", "bytes"), ("DOWNLOAD_TIMEOUT", "seconds"), ("SITE_MAX_DEPTH", "links")):
        if settings.getfloat(name) <= 0:
            yield Finding("warning", name, "has no limit", f"Set a number of {unit} above 0.")
    handlers = settings.getdict("DOWNLOAD_HANDLERS")
    for scheme in ("file", "ftp", "s3"):
        if handlers.get(scheme):
            yield Finding("warning", f"{scheme}: links", "are fetched", f"Set DOWNLOAD_HANDLERS['{scheme}'] = None.")


def parts(settings: BaseSettings) -> list[Finding]:
    """Whether the classes that settings name can be loaded."""
    found = []
    checks = (
        ("FRONTIER", lambda: opener(settings)),
        ("LINK_STRATEGY", lambda: strategy_class(settings["LINK_STRATEGY"], "site")),
    )
    for name, load in checks:
        try:
            load()
        except (ImportError, NameError, ValueError, TypeError, AttributeError) as error:
            advice = f"Correct {name}, or remove it to use the default."
            found.append(Finding("fault", name, f"{settings[name]!r} cannot be loaded: {error}", advice))
    return found or [Finding("ok", "Parts", "all parts that settings name can be loaded")]
