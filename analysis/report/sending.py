"""A report as a message: with the HTML file for e-mail, in a few lines for chats."""

import re

from analysis.delivery.message import Attachment, Message
from analysis.report._comparing import counts_said, outlook_said
from analysis.report.html import report_html
from analysis.report.model import Report

_MAX_EVENTS = 5
_FILE = "text/html"


def report_message(report: Report, console: str, *, with_file: bool) -> Message:
    """The message of a report; its key depends on topic and end only, so that a report is not sent twice."""
    since, until = map(report.clock, (report.since, report.until))
    w, name = report.words, report.topic or "all topics"
    file = re.sub(r"[^\w-]+", "-", f"{report.name}-{until[:10]}") + ".html"
    files = (Attachment(file, _FILE, report_html(report).encode()),) if with_file else ()
    key = f"report-{re.sub(r'[^A-Za-z0-9]+', '-', name.encode().hex() if not name.isascii() else name)[:60]}-{report.until:%Y%m%dT%H%M%S}"
    return Message(
        key,
        w("message.title", name=report.name, since=since, until=until, zone=report.zone_name),
        _lines(report),
        console,
        {"topic": report.topic},
        files,
    )


def _lines(report: Report) -> str:
    w = report.words
    lines = [counts_said(report), outlook_said(report)]
    lines += [w("message.burst", count=each.count, usual=f"{each.usual:.0f}") for each in report.trend.bursts]
    lines += [
        w("message.event", name=each.name, pages=each.page_count, sites=each.site_count)
        for each in report.events[:_MAX_EVENTS]
    ]
    return "\n".join(lines)
