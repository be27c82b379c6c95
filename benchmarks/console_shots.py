"""Small pictures of the console's pages, for its document; of a made store, or of the one that is named.

python -m benchmarks.console_shots [--store sqlite:///data/topicrawl.db] [--out docs/console]
"""

import argparse
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from playwright.sync_api import sync_playwright

from analysis import running
from benchmarks.console import fill, made_desk
from crawler.rendering.browser import find_browser
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.tables import PAGES as PAGE_ROWS
from tests.console.serving import served

_VIEWS = {
    "today": ("/today", "light", 1280),
    "runs": ("/runs", "light", 1280),
    "engines": ("/engines?lang=en", "dark", 1280),
    "articles": ("/articles", "light", 1280),
    "event": ("/events/EVENT", "light", 1280),
    "trend": ("/trend?lang=en", "light", 1280),
    "article": ("/articles/KEY", "light", 1280),
    "urls": ("/urls", "light", 1280),
    "titles": ("/titles?show=stories&lang=en", "dark", 1280),
    "phone": ("/articles?lang=en", "dark", 390),
}
_PAGES = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", default="", help="a database that has pages (default: one that is made)")
    parser.add_argument(
        "--out", type=Path, default=Path("docs/console"), help="folder of the pictures (default: docs/console)"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        desk = made_desk(Path(folder), options.store)
        with closing(desk.store), served(desk) as address:
            if not options.store:
                fill(desk.store, _PAGES)
                running.run(desk.store)
            key = next(desk.store.select(PAGE_ROWS, limit=1, columns=["key"]))["key"]
            event = (desk.store.get(MEMBERS, key) or {}).get("event", key)
            shoot(address, {"KEY": key, "EVENT": event}, options.out)


def shoot(address: str, keys: Mapping[str, str], out: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(""), args=["--no-sandbox"])
        for name, (path, scheme, width) in _VIEWS.items():
            context = browser.new_context(
                viewport={"width": width, "height": 720}, device_scale_factor=0.5, locale="zh-CN",
                color_scheme="dark" if scheme == "dark" else "light",
            )  # fmt: skip
            page = context.new_page()
            for name_of_key, key in keys.items():
                path = path.replace(name_of_key, key)
            page.goto(address + path)
            page.screenshot(path=out / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
