"""Small pictures of the console's pages, for its document; of a made store, or of the one that is named.

python -m benchmarks.console_shots [--store sqlite:///data/topicrawl.db] [--out docs/console] [--only event,trend]
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as BrowserError

from benchmarks.console import fill, largest_event, made_desk
from crawler.rendering.options import find_browser
from pipelines.stores.tables import PAGES as PAGE_ROWS
from tests.console.serving import served

_VIEWS = {
    "today": ("/today", "light", 1280),
    "events": ("/events?lang=en", "dark", 1280),
    "event": ("/events/EVENT", "light", 1280),
    "articles": ("/articles", "light", 1280),
    "article": ("/articles/KEY", "light", 1280),
    "trend": ("/trend?lang=en", "light", 1280),
    "alerts": ("/alerts", "light", 1280),
    "runs": ("/runs", "light", 1280),
    "engines": ("/engines?lang=en", "dark", 1280),
    "urls": ("/urls", "light", 1280),
    "titles": ("/titles?show=stories&lang=en", "dark", 1280),
    "terms": ("/terms", "light", 1280),
    "watched": ("/sites/watched?lang=en", "light", 1280),
    "decisions": ("/decisions", "dark", 1280),
    "phone": ("/events/EVENT?lang=en", "dark", 390),
}
_PAGES = 2_000
_MOST_SECONDS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", default="", help="a database that has pages (default: one that is made)")
    parser.add_argument(
        "--out", type=Path, default=Path("docs/console"), help="folder of the pictures (default: docs/console)"
    )
    parser.add_argument("--only", default="", help=f"names with commas between (default: {','.join(_VIEWS)})")
    options = parser.parse_args()
    wanted = options.only.split(",") if options.only else list(_VIEWS)
    if unknown := set(wanted) - set(_VIEWS):
        parser.error(f"there is no view {', '.join(sorted(unknown))}; there are {', '.join(_VIEWS)}")
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, closing((desk := made_desk(Path(folder), options.store)).store):
        if not options.store:
            _say(f"A store of {_PAGES:,} pages is made")
            fill(desk.store, _PAGES)
        key = next(desk.store.select(PAGE_ROWS, limit=1, columns=["key"]))["key"]
        with served(desk) as address, _browser() as browser:
            shoot(browser, address, {"KEY": key, "EVENT": largest_event(desk.store)}, wanted, options.out)


def shoot(browser: Browser, address: str, keys: Mapping[str, str], wanted: list[str], out: Path) -> None:
    """One picture after the other; a page that cannot be shown within twenty seconds is named, and the others are made."""
    failed = []
    for number, name in enumerate(wanted, 1):
        began = time.perf_counter()
        try:
            size = _shot(browser, address, keys, name, out / f"{name}.png")
        except BrowserError as error:
            failed.append(name)
            _say(f"{number}/{len(wanted)} {name}: {str(error).splitlines()[0]}")
        else:
            _say(f"{number}/{len(wanted)} {name}: {size / 1000:.0f} kB, {time.perf_counter() - began:.1f} s")
    if failed:
        raise SystemExit(f"no picture of {', '.join(failed)}")


def _shot(browser: Browser, address: str, keys: Mapping[str, str], name: str, path: Path) -> int:
    place, scheme, width = _VIEWS[name]
    for name_of_key, key in keys.items():
        place = place.replace(name_of_key, key)
    context = browser.new_context(
        viewport={"width": width, "height": 720}, device_scale_factor=0.5, locale="zh-CN",
        color_scheme="dark" if scheme == "dark" else "light",
    )  # fmt: skip
    context.set_default_timeout(_MOST_SECONDS * 1000)
    try:
        page = context.new_page()
        page.goto(address + place, wait_until="domcontentloaded")
        return len(page.screenshot(path=path))
    finally:
        context.close()


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
