"""The bounds of rendering, and which browser does it."""

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from scrapy.settings import BaseSettings

from crawler.config.sites import read_sites
from crawler.rendering.errors import NoBrowserError

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge")


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """See the settings RENDER_… of the same names; `content` is DOWNLOAD_MAXSIZE."""

    browser: str
    sandbox: bool
    pages: int
    seconds: float
    rounds: int
    quiet: float
    bytes: int
    content: int
    memory: int
    restart: int
    blocked: frozenset[str]
    allow_private: bool
    verify_certificates: bool


def render_options(settings: BaseSettings) -> RenderOptions:
    """From the settings."""
    return RenderOptions(
        browser=str(settings["RENDER_BROWSER"] or ""),
        sandbox=settings.getbool("RENDER_SANDBOX"),
        pages=settings.getint("RENDER_CONCURRENCY"),
        seconds=settings.getfloat("RENDER_TIMEOUT"),
        rounds=settings.getint("RENDER_ROUNDS"),
        quiet=settings.getfloat("RENDER_IDLE_SECONDS"),
        bytes=settings.getint("RENDER_MAXSIZE"),
        content=settings.getint("DOWNLOAD_MAXSIZE") or 10_000_000,
        memory=settings.getint("RENDER_MEMORY_MAX"),
        restart=settings.getint("RENDER_RESTART_PAGES"),
        blocked=frozenset(settings.getlist("RENDER_BLOCKED_TYPES")),
        allow_private=settings.getbool("ALLOW_PRIVATE_ADDRESSES"),
        verify_certificates=settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"),
    )


def find_browser(wanted: str) -> str:
    """Path of the browser: the wanted one, else the system's Chromium or Chrome, else "" for one that Playwright has
    installed.

    Raises NoBrowserError if there is none, or Playwright itself is missing.
    """
    if find_spec("playwright") is None:
        raise NoBrowserError("Rendering needs an extra package. Run: python -m pip install 'topicrawl[render]'")
    if wanted:
        if found := shutil.which(wanted):
            return found
        raise NoBrowserError(f"RENDER_BROWSER is {wanted}, but there is no program of that name that may be run.")
    if found := next(filter(None, map(shutil.which, _NAMES)), ""):
        return found
    own = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright"
    if Path(own).is_dir() and any(Path(own).glob("chromium*")):
        return ""
    raise NoBrowserError(
        "Rendering needs a browser. Install Chromium (Debian: apt install chromium; else: python -m playwright install "
        "chromium), or say where one is with RENDER_BROWSER."
    )


def check_rendering(settings: BaseSettings) -> None:
    """NoBrowserError, with a sentence, if a site is to be rendered and there is nothing to do it with."""
    if any(site.render != "never" for site in read_sites(settings).all()):
        find_browser(render_options(settings).browser)
