"""Lines of a list around one of their columns."""

import numpy as np

from extractors.html.document import Document
from extractors.records.choose.lines import whole_lines
from extractors.records.groups import find_groups
from extractors.records.groups.features import likely_groups
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group
from extractors.records.signals import page_signals

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank")

HEAD = (
    "<div class=heads><div>Subject</div><div class=preview><a href='?by=replies'>Replies</a> / <a href='?by=views'>Views</a>"
    "</div></div>"
)


def widened(line: str, chosen: str) -> tuple[RecordReading, RecordReading]:
    """The group of elements of a class, and the lines around them. line: the markup of a line with {n} and {name}."""
    lines = "".join(line.format(n=n, name=name) for n, name in enumerate(NAMES))
    page = Document(
        f"<html><body><h1>Board</h1>{HEAD}<div id=all>{lines}</div></body></html>".encode(), "http://f.example/"
    )
    groups, features = likely_groups(page, find_groups(page.once(page_signals)), 30)
    group = next(group for group in groups if group.label == chosen)
    reading = read_group(layout_of(page, group))
    return reading, whole_lines(reading, groups, features, np.zeros(len(groups), np.float32))


def test_a_column_of_previews_gives_the_lines_with_titles() -> None:
    line = (
        "<div class=row><div class=info><div><a class=title href='/t/{n}'>How do I repair the number {n} of them?</a></div>"
        "<p>by <a href='/user/{name}'>{name}</a></p></div><div class=preview><p>{n} replies</p></div>"
        "<div class=last><p><a href='/t/{n}#last'>Jul 1{n}, 2025, 02:37 PM</a> by <a href='/user/{name}x'>{name}x</a></p></div></div>"
    )
    before, after = widened(line, "preview")
    assert not before.layout.is_list
    assert after.layout.is_list
    assert [draft.title for draft in after.drafts] == [f"How do I repair the number {n} of them?" for n in range(6)]


def test_the_texts_of_posts_stay_as_they_are() -> None:
    line = (
        "<div class=post><a class=name href='/user/{name}'>{name}</a><div class=words>A long answer of {name}, which says"
        " many things about the matter and has no title of its own, number {n}.</div></div>"
    )
    before, after = widened(line, "words")
    assert after is before


def test_the_titles_of_a_table_give_its_rows() -> None:
    line = (
        "<tr><td class=tcl><div class=tclcon><a href='/t/{n}'>How do I repair the number {n} of them?</a> by <span class=byuser>{name}"
        "</span></div></td><td class=tc2>{n}</td><td class=tc3>1,23{n}</td>"
        "<td class=tcr><a href='/t/{n}#last'>2025-07-1{n} 07:24:15</a></td></tr>"
    )
    head = "<table><tr><th>Topic</th><th>Replies</th><th>Views</th><th>Last post</th></tr>"
    lines = "".join(line.format(n=n, name=name) for n, name in enumerate(NAMES))
    page = Document(f"<html><body>{head}{lines}</table></body></html>".encode(), "http://f.example/")
    groups, features = likely_groups(page, find_groups(page.once(page_signals)), 30)
    group = next(group for group in groups if group.label in ("tcl", "tclcon"))
    reading = read_group(layout_of(page, group))
    whole = whole_lines(reading, groups, features, np.zeros(len(groups), np.float32))
    assert reading.layout.is_list
    assert {whole.layout.columns.tag_name(int(member)) for member in whole.layout.members} == {"tr"}
    assert [draft.title for draft in whole.drafts] == [draft.title for draft in reading.drafts]
