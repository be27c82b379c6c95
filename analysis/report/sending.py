"""A report as a message: with the HTML file for e-mail, in a few lines for chats."""

import re

from analysis.delivery.message import Attachment, Message
from analysis.report.html import report_html
from analysis.report.model import Report
from analysis.spans import to_the_minute

_MAX_EVENTS = 5
_FILE = "text/html"


def report_message(report: Report, console: str, *, with_file: bool) -> Message:
    """The message of a report; its key depends on topic and end only, so that a report is not sent twice."""
    since, until = map(to_the_minute, (report.since, report.until))
    name = report.topic or "all topics"
    file = re.sub(r"[^\w-]+", "-", f"{name}-{until[:10]}") + ".html"
    files = (Attachment(file, _FILE, report_html(report).encode()),) if with_file else ()
    key = f"report-{re.sub(r'[^A-Za-z0-9]+', '-', name.encode().hex() if not name.isascii() else name)[:60]}-{report.until:%Y%m%dT%H%M%S}"
    return Message(key, f"Report: {name}, {since} to {until}", _lines(report), console, {"topic": report.topic}, files)


def _lines(report: Report) -> str:
    count, coming = int(report.trend.series.counts.sum()), report.trend.forecast
    lines = [
        f"{count} pages of {report.site_count} sites, {report.posts} posts; {report.before} pages in the period before.",
        f"Collected in the last day: {report.trend.coverage:.2f} times the usual.",
        f"Next 24 hours: {coming.total:.0f} pages ({coming.low:.0f} to {coming.high:.0f}).",
    ]
    lines += [f"Burst: {burst.count} pages, usual {burst.usual:.0f}." for burst in report.trend.bursts]
    lines += [
        f"· {each.name} ({each.page_count} pages of {each.site_count} sites)" for each in report.events[:_MAX_EVENTS]
    ]
    return "\n".join(lines)
