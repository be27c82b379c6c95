"""Small pictures of the console's pages in English and, in a folder `zh`, in Chinese, for its documents; and beside that folder the larger
ones of an event, for the readmes.

They are of a store that crawls of a served web fill, or of the one that is named.

python -m benchmarks.console_shots [--store sqlite:///data/topicrawl.db] [--out docs/console] [--only event,trend]
python -m benchmarks.console_shots --made --only event    # those of the readmes, of a made event with many sites and comments
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, BrowserContext, StorageState, sync_playwright
from playwright.sync_api import Error as BrowserError

from benchmarks.console import fill, largest_event, made_app_context
from benchmarks.console_crawled import PASSWORD, PERSON, crawled_desk
from console.frame.app_context import AppContext
from crawler.rendering.options import find_browser
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PAGES, RECORDS, RUNS
from testbed.console_server import served

_VIEWS = {
    "login": ("/login?next=/today", "light", 1280),
    "today": ("/today", "light", 1280),
    "events": ("/events", "dark", 1280),
    "event": ("/events/EVENT", "light", 1280),
    "halves": ("/events/EVENT/halves?PAGES", "light", 1280),
    "articles": ("/articles", "light", 1280),
    "article": ("/articles/KEY", "light", 1280),
    "why": ("/urls/why?url=ADDRESS", "dark", 1280),
    "trend": ("/trend?of=基金、银行&from=BEGIN", "light", 1280),
    "alerts": ("/alerts", "light", 1280),
    "runs": ("/runs", "light", 1280),
    "run": ("/runs/RUN", "light", 1280),
    "nodes": ("/runs/nodes", "light", 1280),
    "plan": ("/runs/plan", "dark", 1280),
    "terms": ("/terms?topic=finance", "light", 1280),
    "examples": ("/terms/pages?topic=finance", "light", 1280),
    "sites": ("/sites", "light", 1280),
    "watched": ("/sites/watched", "light", 1280),
    "access": ("/sites/access", "dark", 1280),
    "engines": ("/engines", "dark", 1280),
    "queries": ("/engines/queries", "light", 1280),
    "urls": ("/urls", "light", 1280),
    "titles": ("/titles?show=stories", "dark", 1280),
    "decisions": ("/decisions", "light", 1280),
    "users": ("/users", "light", 1280),
    "audit": ("/audit", "dark", 1280),
    "phone": ("/events/EVENT", "dark", 390),
}
_PAGES = 900
_MADE_PAGES = 2_000
_MOST_SECONDS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", default="", help="a database that has pages (default: one that crawls fill)")
    parser.add_argument("--made", action="store_true", help="a store of made rows, if the simulated web is not there")
    parser.add_argument("--pages", type=int, default=_PAGES, help=f"pages of the crawl (default: {_PAGES})")
    parser.add_argument(
        "--out", type=Path, default=Path("docs/console"), help="folder of the pictures (default: docs/console)"
    )
    parser.add_argument("--only", default="", help=f"names with commas between (default: {','.join(_VIEWS)})")
    options = parser.parse_args()
    wanted = options.only.split(",") if options.only else list(_VIEWS)
    if unknown := set(wanted) - set(_VIEWS):
        parser.error(f"there is no view {', '.join(sorted(unknown))}; there are {', '.join(_VIEWS)}")
    with (
        tempfile.TemporaryDirectory() as folder,
        _app_context(options, Path(folder)) as app_context,
        served(app_context) as address,
        _browser() as browser,
    ):
        keys = places(app_context.store)
        for out, locale, readme in ((options.out, "en-US", "event"), (options.out / "zh", "zh-CN", "event.zh-CN")):
            out.mkdir(parents=True, exist_ok=True)
            shoot(browser, address, keys, {name: out / f"{name}.png" for name in wanted}, locale)
            if "event" in wanted:
                shoot(browser, address, keys, {"event": options.out.parent / f"{readme}.png"}, locale, 1.0)


@contextmanager
def _app_context(options: argparse.Namespace, folder: Path) -> Iterator[AppContext]:
    if not (options.store or options.made):
        with crawled_desk(folder, options.pages) as crawled:
            yield crawled
        return
    with closing((app_context := made_app_context(folder, options.store)).store):
        if not options.store:
            _say(f"A store of {_MADE_PAGES:,} pages is made")
            fill(app_context.store, _MADE_PAGES)
        yield app_context


def places(store: Store) -> dict[str, str]:
    """What stands for the capital words of the addresses: the largest event, a page with many posts, the last run, a week ago."""
    event = largest_event(store)
    members = store.select(MEMBERS, [Condition("event", "=", event)], [Order("at")], 4, ["page"])
    posts = next(store.select(RECORDS, [Condition("place", ">=", 3)], limit=1, columns=["page"]), {"page": ""})
    run = next(store.select(RUNS, order=[Order("started", True)], limit=1, columns=["key"]), {"key": ""})
    key = posts["page"] or event
    return {
        "EVENT": event,
        "PAGES": "&".join(f"pages={row['page']}" for row in list(members)[1:]),
        "KEY": key,
        "ADDRESS": quote(str((store.get(PAGES, key) or {}).get("url") or ""), safe=""),
        "RUN": run["key"],
        "BEGIN": (datetime.now(UTC) - timedelta(days=7)).date().isoformat(),
    }


def shoot(
    browser: Browser,
    address: str,
    keys: Mapping[str, str],
    files: Mapping[str, Path],
    locale: str = "zh-CN",
    scale: float = 0.5,
) -> None:
    """One picture after the other; a page that cannot be shown within twenty seconds is named, and the others are made."""
    failed, cookies = [], _cookies(browser, address)
    for number, (name, path) in enumerate(files.items(), 1):
        began = time.perf_counter()
        place, scheme, width = _VIEWS[name]
        for name_of_key, key in keys.items():
            place = place.replace(name_of_key, key)
        context = browser.new_context(
            viewport={"width": width, "height": 720}, device_scale_factor=scale, locale=locale,
            color_scheme="dark" if scheme == "dark" else "light", storage_state=cookies if name != "login" else None,
        )  # fmt: skip
        try:
            size = _shot(context, address + place, path)
        except BrowserError as error:
            failed.append(name)
            _say(f"{number}/{len(files)} {name}: {str(error).splitlines()[0]}")
        else:
            _say(f"{number}/{len(files)} {name}: {size / 1000:.0f} kB, {time.perf_counter() - began:.1f} s")
    if failed:
        raise SystemExit(f"no picture of {', '.join(failed)}")


def _shot(context: BrowserContext, address: str, path: Path) -> int:
    context.set_default_timeout(_MOST_SECONDS * 1000)
    try:
        page = context.new_page()
        page.goto(address, wait_until="domcontentloaded")
        return len(page.screenshot(path=path))
    finally:
        context.close()


def _cookies(browser: Browser, address: str) -> StorageState:
    """Of somebody who has logged in, if the console asks for it."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/articles")
    if "/login" in page.url:
        page.fill("input[name=user]", PERSON)
        page.fill("input[name=password]", PASSWORD)
        page.click("button.go")
        page.wait_for_url("**/articles")
    state = context.storage_state()
    context.close()
    return state


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser("") or None, args=["--no-sandbox"])
        yield browser
        browser.close()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
