"""The limits of rendering, and the choice of the browser."""

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from scrapy.settings import BaseSettings

from crawler.config.sites import read_sites

_BLOCKED_TYPES = frozenset(("image", "media", "font", "texttrack", "manifest", "ping"))
"""Resource types without text, which are not loaded."""
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge")


class RenderError(Exception):
    """The page could not be rendered; the message has the reason."""


class NoBrowserError(ValueError):
    """There is no browser for rendering; the message says what to install."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """The settings RENDER_… of the same names; `max_chars` of a rendered page comes from DOWNLOAD_MAXSIZE."""

    browser: str
    sandbox: bool
    concurrency: int
    timeout: float
    maxsize: int
    max_chars: int
    memory_max: int
    blocked_types: frozenset[str]
    allow_private: bool
    verify_certificates: bool


def render_options(settings: BaseSettings) -> RenderOptions:
    return RenderOptions(
        browser=str(settings["RENDER_BROWSER"] or ""),
        sandbox=settings.getbool("RENDER_SANDBOX"),
        concurrency=settings.getint("RENDER_CONCURRENCY"),
        timeout=settings.getfloat("RENDER_TIMEOUT"),
        maxsize=settings.getint("RENDER_MAXSIZE"),
        max_chars=settings.getint("DOWNLOAD_MAXSIZE") or 10_000_000,
        memory_max=settings.getint("RENDER_MEMORY_MAX"),
        blocked_types=_BLOCKED_TYPES,
        allow_private=settings.getbool("ALLOW_PRIVATE_ADDRESSES"),
        verify_certificates=settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"),
    )


def find_browser(wanted: str) -> str:
    """Path of the browser: `wanted`, else the system's Chromium or Chrome, else "" for the one installed by Playwright.

    Raises NoBrowserError if there is none, or if Playwright is not installed.
    """
    if find_spec("playwright") is None:
        raise NoBrowserError("Rendering needs an extra package. Run: python -m pip install 'topicrawl[render]'")
    if wanted:
        if found := shutil.which(wanted):
            return found
        raise NoBrowserError(f"RENDER_BROWSER is {wanted}, which is not an executable program.")
    if found := next(filter(None, map(shutil.which, _NAMES)), ""):
        return found
    own = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright"
    if Path(own).is_dir() and any(Path(own).glob("chromium*")):
        return ""
    raise NoBrowserError(
        "Rendering needs a browser. Install Chromium (Debian: apt install chromium; else: python -m playwright install "
        "chromium), or set RENDER_BROWSER to its path."
    )


def check_rendering(settings: BaseSettings) -> None:
    """Raises NoBrowserError if a site needs rendering and there is no browser."""
    if any(site.render != "never" for site in read_sites(settings).all()):
        find_browser(render_options(settings).browser)
