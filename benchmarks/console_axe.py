"""Accessibility of every page of the console, by axe-core, at two widths, light and dark; on a made store, or the one that is named.

npm pack axe-core && tar xf axe-core-*.tgz
python -m benchmarks.console_axe package/axe.min.js [--store sqlite:///data/topicrawl.db] [--only /events,/trend]
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.console import addresses, fill, made_app_context
from crawler.rendering.options import find_browser
from testbed.console_server import served

_PAGES = 500
_FORMS = ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"))
_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_SHOWN = 160


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("axe", type=Path, help="axe.min.js of the package axe-core")
    parser.add_argument("--store", default="", help="a database that has pages (default: one that is made)")
    parser.add_argument("--only", default="", help="pages, with commas between (default: all)")
    options = parser.parse_args()
    script = options.axe.read_text(encoding="utf-8")
    with (
        tempfile.TemporaryDirectory() as folder,
        closing((app_context := made_app_context(Path(folder), options.store)).store),
    ):
        if not options.store:
            fill(app_context.store, _PAGES)
        every = [path for path in [*addresses(app_context), "/nowhere"] if not path.startswith("/api/")]
        paths = options.only.split(",") if options.only else every
        with served(app_context) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser("") or None, args=["--no-sandbox"])
            found = Counter[str]()
            for number, path in enumerate(paths, 1):
                print(f"{number}/{len(paths)} {path}", file=sys.stderr, flush=True)
                for fault in checked(browser, address + path, script):
                    found[fault["impact"]] += 1
                    print(
                        f"{fault['impact']} {fault['id']} {path} {fault['form']}: {fault['nodes'][0]['html'][:_SHOWN]}"
                    )
            browser.close()
    print(f"{len(paths)} pages in {len(_FORMS)} forms: {dict(found) or 'no finding'}")
    if found["serious"] or found["critical"]:
        raise SystemExit(1)


def checked(browser: Browser, address: str, script: str) -> Iterator[Mapping[str, Any]]:
    """What axe finds wrong, with tables under charts open; `form` is the width and the scheme."""
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")  # the pages allow no script but their own
    page = context.new_page()
    page.goto(address, wait_until="domcontentloaded")
    page.evaluate(script)
    page.evaluate("document.querySelectorAll('details.data').forEach(each => each.open = true)")
    for width, scheme in _FORMS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        wanted = {"resultTypes": ["violations"], "runOnly": list(_RULES)}
        for fault in page.evaluate("wanted => axe.run(wanted)", wanted)["violations"]:
            yield {**fault, "form": f"{width} {scheme}"}
    context.close()


if __name__ == "__main__":
    main()
