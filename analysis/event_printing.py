"""Output of events and handling of decisions for `scrapy analysis`."""

import argparse
import csv
import itertools
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from analysis.spans import known_time
from crawler.command_line import printable, say, write_out
from crawler.config import shown
from crawler.printed_tables import print_table
from pipelines.exporting import spreadsheet_cell
from pipelines.stores.base import Store, StoreError

FORMATS = ("table", "jsonl", "csv", "graphml")
_HEADS = ("event", "name", "begin", "place", "pages", "sites", "last report", "state")


def print_events(store: Store, opts: argparse.Namespace, zone: tzinfo) -> None:
    """The events selected by the options; raises StoreError for invalid options."""
    from analysis.events.store.output import COLUMNS, events, write_graphml  # loads dictionaries

    if opts.limit < 0 or opts.pages < 1:
        raise StoreError("--limit must not be negative, and --pages be 1 or more")
    found = events(store, datetime.now(UTC), since_text=opts.since, until_text=opts.until, topic=opts.topic, pages=opts.pages,
                   dropped=opts.dropped, zone=zone)  # fmt: skip
    rows = itertools.islice(found, opts.limit or None)
    if opts.format == "graphml":
        write_graphml(store, rows, sys.stdout)
    elif opts.format == "jsonl":
        for row in rows:
            write_out(json.dumps(row, ensure_ascii=False))
    elif opts.format == "csv":
        _print_csv(COLUMNS, rows)
    else:
        print_table(_HEADS, ([row["event"], row["name"], (row["begin"] or "")[:16], row["place"], row["pages"], row["site_count"],
                              _last_report(row, zone), shown(row["state"])] for row in rows))  # fmt: skip


def _last_report(row: Mapping[str, Any], zone: tzinfo) -> str:
    return known_time(row["last_published"] or "", row["last_at"], zone)


def _print_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        values = (" ".join(row[name] or ()) if name == "people" else row[name] for name in columns)
        writer.writerow([spreadsheet_cell(printable(str("" if value is None else value))) for value in values])


def print_event(store: Store, key: str, zone: tzinfo) -> None:
    """One event: when, where and who with their sentences, its pages, and the other events of its story."""
    from analysis.events.store import limit_of
    from analysis.events.store.output import event_with_members, other_events, state

    row, members = event_with_members(store, key)
    write_out(row["name"])
    say(f"  {shown(state(row, datetime.now(UTC)))}, {row['pages']} pages of {row['site_count']} sites, "
        f"{row['comments']} comments, {row['reposts']} reposts; {known_time(row['first_published'] or '', row['first_at'], zone)} to "
        f"{_last_report(row, zone)}")  # fmt: skip
    for each in row["elements"] or ():
        more = " ".join([*each.get("parents", ())[::-1], each.get("begin", "")]).strip()
        write_out(f"  {shown(each['kind'])}: {each['text']}{f' ({more})' if more else ''}: {each['sentence']}")
    print_table(
        ("at", "site", "title", "url"), ([each["at"], each["site"], each["title"], each["url"]] for each in members)
    )
    share, corrections = limit_of(store, row["topic"] or "")
    if share != 1:
        write_out(
            f"The similarity for one event of this topic is {share:.2f} times the usual: {corrections} merges and splits moved it"
        )
    others = other_events(store, row)
    if others:
        say("Other events of the story:")
        print_table(
            ("event", "name", "first report"),
            (
                [each["event"], each["name"], known_time(each["first_published"] or "", each["first_at"], zone)]
                for each in others
            ),
        )


def decide_as_asked(store: Store, action: str, words: Sequence[str], by: str) -> str:
    """Store or undo a decision; returns the message. Raises StoreError for invalid arguments."""
    from analysis.events.store.decisions import decide, undo
    from analysis.events.store.output import event_of

    if action == "undo":
        if len(words) != 1:
            raise StoreError("Use: scrapy analysis undo DECISION")
        undo(store, words[0])
        return "undone; the next scrapy analysis run applies it"
    least, most = {"merge": (2, 2), "split": (2, 3), "rename": (2, 2), "drop": (1, 1)}[action]
    if not least <= len(words) <= most:
        raise StoreError(f"{action} needs {least} arguments: see scrapy analysis --help")
    for word in words[:1] if action in ("rename", "drop") else words:
        event_of(store, word)  # a mistyped key is no decision
    other, value = ("", words[1]) if action == "rename" else ((*words[1:], "", "")[0], (*words[2:], "")[0])
    key = decide(store, action, words[0], other, value, by)
    return f"decision {key!r}; the next scrapy analysis run applies it"
