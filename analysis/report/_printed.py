"""A report as PDF, printed by the browser that renders pages; it runs no script and asks nobody for anything."""

import os
from html import escape

from scrapy.settings import BaseSettings

from analysis.report.html import report_html
from analysis.report.model import Report
from crawler.checks.configuration import browser_path

_START_SECONDS, _PRINT_SECONDS = 30.0, 60.0
_FOOT = (
    '<div style="font-size:8px;width:100%;padding:0 15mm;color:#6b7280;display:flex;justify-content:space-between">'
    '<span>{name}</span><span><span class="pageNumber"></span> / <span class="totalPages"></span></span></div>'
)


class PrintingError(Exception):
    """The report could not be printed; the message says what is missing or went wrong."""


def report_pdf(report: Report, settings: BaseSettings) -> bytes:
    """The PDF file, A4 with numbered pages. Raises PrintingError without a browser, or if that fails or takes over a minute."""
    try:
        path = browser_path(settings)
    except ValueError as error:
        raise PrintingError(str(error)) from None
    foot, is_sandboxed = _FOOT.format(name=escape(report.name[:80])), settings.getbool("RENDER_SANDBOX")
    return _printed(report_html(report), path, foot, is_sandboxed=is_sandboxed)


def _printed(text: str, path: str, foot: str, *, is_sandboxed: bool) -> bytes:
    from playwright.sync_api import Error, sync_playwright  # an extra package, which browser_path has looked for

    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=path or None,
                chromium_sandbox=is_sandboxed and os.geteuid() != 0,
                timeout=_START_SECONDS * 1e3,
            )
            context = browser.new_context(java_script_enabled=False, offline=True)
            page = context.new_page()
            page.set_default_timeout(_PRINT_SECONDS * 1e3)
            page.set_content(text, wait_until="load")
            made: bytes = page.pdf(
                format="A4",
                margin={"top": "18mm", "bottom": "18mm", "left": "15mm", "right": "15mm"},
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=foot,
                print_background=True,
            )
            browser.close()
    except Error as error:
        raise PrintingError(
            f"the browser did not print the report: {error.message.partition(chr(10))[0][:200]}"
        ) from None
    return made
