"""Settings that make a crawl impolite or unsafe, the YAML files of sites and engines, and the browsers that they need."""

import asyncio
import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from scrapy.settings import BaseSettings

from crawler.checks import Finding
from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.download.browsers import ImpersonationError, check_impersonation
from crawler.engines.catalog import read_catalog
from crawler.extensions.archive import WarcError, check_warc
from crawler.frontier.opening import opener
from crawler.rendering.options import NoBrowserError, RenderError, RenderOptions, find_browser, render_options
from crawler.scheduling.job_plan import PlanError, read_plan
from crawler.sources.source_catalog import read_sources
from crawler.sources.trying import check_saved
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


def sources(settings: BaseSettings) -> list[Finding]:
    """Whether the files of sources can be read, and their saved answers still give what they gave."""
    try:
        found = read_sources(settings).sources.values()
    except DeclarationError as error:
        return [Finding("fault", "Sources", str(error), "Correct the file in settings/sources.")]
    wrong = {each.name: said for each in found if each.test is not None and (said := check_saved(each))}
    advice = "Correct the recipe, or save a new answer: scrapy source record NAME."
    return [Finding("warning", f"Source {name}", said, advice) for name, said in wrong.items()] or [
        Finding("ok", "Sources", f"{len(found)} recipes of lists")
    ]


def plan(settings: BaseSettings) -> list[Finding]:
    """Whether the plan of scheduled jobs can be read, if the settings name one."""
    if not (path := settings["SCHEDULE_FILE"]):
        return []
    try:
        found = read_plan(Path(path))
    except PlanError as error:
        return [Finding("fault", "Plan", str(error), "Correct the file, or leave SCHEDULE_FILE empty.")]
    return [Finding("ok", "Plan", f"{len(found.jobs)} jobs in {path}, on {', '.join(found.nodes)}")]


def safety(settings: BaseSettings) -> list[Finding]:
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


def sites(settings: BaseSettings) -> list[Finding]:
    """Whether each file can be used, and which sites' robots.txt is ignored, and why."""
    try:
        found = read_sites(settings)
    except DeclarationError as error:
        return [Finding("fault", "Sites", str(error), "Correct the file; docs/blocking.md explains each key.")]
    ignored = {host: site.robots.reason for host, site in found.named.items() if site.robots.policy == "ignore"}
    findings = [
        Finding("warning", "Robots", f"robots.txt of {host} is ignored: {reason}", "Take `robots` out to obey it.")
        for host, reason in ignored.items()
    ]
    message = f"{len(found.named)} sites have settings of their own"
    return [Finding("ok", "Sites", message), *findings, *_closed(found, time.time())]


def _closed(sites: Sites, now: float) -> Iterator[Finding]:
    """Sites outside their hours, and when these begin in the site's time zone."""
    for host, site in (("every other site", sites.default), *sites.named.items()):
        hours = site.opening_hours
        if hours is not None and (opens := hours.opens(now)) > now:
            until = f"{datetime.fromtimestamp(opens, ZoneInfo(site.zone)):%Y-%m-%d %H:%M} {site.zone}"
            yield Finding("ok", "Hours", f"{host} is outside its hours; its requests wait until {until}")


def engines(settings: BaseSettings) -> list[Finding]:
    """Whether each file can be used, and whether the engines that a run asks have their keys."""
    try:
        catalog = read_catalog(settings_folder(settings) / "engines")
        chosen = catalog.chosen((), settings.getlist("METASEARCH_ENGINES"))
    except DeclarationError as error:
        return [Finding("fault", "Engines", str(error), "Correct the file; settings/engines/example.yaml explains.")]
    missing = {
        name: [key for key in engine.about.needs if not os.environ.get(key)]
        for name, engine in chosen.items()
        if any(not os.environ.get(key) for key in engine.about.needs)
    }
    findings = [
        Finding("warning", "Engines", f"{name} needs {', '.join(keys)}", "Set it in the environment, or switch it off.")
        for name, keys in missing.items()
    ]
    return [Finding("ok", "Engines", f"a search asks {', '.join(chosen)}"), *findings]


def browser_path(settings: BaseSettings) -> str:
    """The browser that renders pages, "" for the one of Playwright; raises ValueError, which says what to install, without one."""
    return find_browser(render_options(settings).browser)


def rendering(settings: BaseSettings) -> list[Finding]:
    """Whether the browser starts; nothing if no site is rendered."""
    try:
        if all(site.render == "never" for site in read_sites(settings).all()):
            return []
        options = render_options(settings)
        find_browser(options.browser)
        return [Finding("ok", "Rendering", f"Chromium {asyncio.run(_version(options))} starts")]
    except DeclarationError:
        return []  # the check of the sites says why
    except (NoBrowserError, RenderError) as error:
        return [Finding("fault", "Rendering", str(error), "Or set `render: never` in settings/sites.")]


async def _version(options: RenderOptions) -> str:
    from crawler.rendering.browser import CrawlBrowser

    browser = CrawlBrowser(options)
    try:
        return await browser.version()
    finally:
        await browser.close()


def impersonation(settings: BaseSettings) -> list[Finding]:
    """Whether every browser that a site names in `impersonate` is available; nothing if so."""
    try:
        check_impersonation(settings)
    except DeclarationError:
        return []
    except ImpersonationError as error:
        return [Finding("fault", "Impersonation", str(error), "Correct the site's file; see docs/rendering.md.")]
    return []


def warc(settings: BaseSettings) -> list[Finding]:
    """Whether an archive can be written, and whether it would hold secrets; nothing if none is asked for."""
    if not settings["WARC_DIR"]:
        return []
    try:
        check_warc(settings)
    except WarcError as error:
        return [Finding("fault", "Archive", str(error), "Or set WARC_DIR to nothing.")]
    found = [Finding("ok", "Archive", f"answers are archived in {Path(settings['WARC_DIR']).absolute()}")]
    if settings.getbool("WARC_SECRETS"):
        message = "the archive holds cookies and other secrets"
        found.append(Finding("warning", "WARC_SECRETS", message, "Set it to False, or keep the files private."))
    return found
