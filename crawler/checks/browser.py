"""The browser that renders pages, and the one that is impersonated."""

import asyncio

from scrapy.settings import BaseSettings

from crawler.checks.finding import Finding
from crawler.config.sites import read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.download.browsers import ImpersonationError, check_impersonation
from crawler.rendering.options import NoBrowserError, RenderError, RenderOptions, find_browser, render_options


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
