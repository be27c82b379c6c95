"""The browser with which pages are rendered, and the one that is imitated."""

import asyncio

from scrapy.settings import BaseSettings

from crawler.checks.base import Finding
from crawler.config.sites import read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.download.impersonation import ImpersonationError, check_impersonation
from crawler.rendering.errors import NoBrowserError, RenderError
from crawler.rendering.options import RenderOptions, find_browser, render_options


def rendering(settings: BaseSettings) -> list[Finding]:
    """Whether it can be started, where a site asks for it; nothing where none does."""
    try:
        if all(site.render == "never" for site in read_sites(settings).all()):
            return []
        options = render_options(settings)
        find_browser(options.browser)
        return [Finding("ok", "Rendering", f"Chromium {asyncio.run(_version(options))} starts")]
    except DeclarationError:
        return []  # the check of the sites' files tells it
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
    """Whether sites' `impersonate` can be kept; nothing where none has one, or all can."""
    try:
        check_impersonation(settings)
    except DeclarationError:
        return []
    except ImpersonationError as error:
        return [Finding("fault", "Impersonation", str(error), "Put the site's file right; see docs/rendering.md.")]
    return []
