"""Comments that a page marks by number or by name, where no group of elements is chosen: most often there is only one."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.records.choose.announced_comments import MIN_CHARS, announced_comments, is_headed
from extractors.records.groups import Members, RecordGroup, group_names, names_around
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group
from extractors.records.read.model import Draft
from extractors.records.signals.class_names import tell_parts
from extractors.records.signals.template_words import COMMENT

_NAMED = re.compile(r"comment|reply|answer")
_NUMBERED = re.compile(r"(?:^|[-_])(?:c|comment|reply|answer)[-_]?(\d{1,12})(?:[-_][a-z]{1,8}[-_].*)?$", re.I)
"""An id: "comment-1234", "comment-12-by-jane"."""
_CALLED = re.compile(r"(?:^|[-_\s])comment(?:[-_]?(?:row|item|box|entry))?(?:\s|$)")
"""A class that calls an element a comment: "tk-comment"."""
_WRITTEN = re.compile(r"comment|repl(?:y|ies)|review|answer|opini|komm?ent|评论|回复")
_MIN_WHOLE = 3
"""Minimum comments that are known by their name, authors and texts alone."""
_MOST_SHARE = 0.8
"""Minimum share of texts that are long and different, where times tell too."""


def marked_comments(page: Document) -> RecordReading | None:
    """The numbered comments, if each has an author, a time and a text; where names say nothing, those that a heading or links to reply
    tell of."""
    members = _members(page)
    if len(members):
        return _read(page, members)
    found = [] if page.once(tell_parts) else [each for each in announced_comments(page) if _read(page, each)]
    return _read(page, _around_first(page.columns, found)) or _read(page, found[0]) if found else None


def _around_first(columns: Columns, found: Sequence[Members]) -> Members:
    """All elements that were found inside the parent of the first: answers have another form."""
    every, above = np.unique(np.concatenate(found)), max(0, int(columns.parent[found[0][0]]))
    return np.asarray(every[(every > above) & (every < columns.end[above])])


def _read(page: Document, members: Members) -> RecordReading | None:
    """The reading of these elements, if all have an author, a time and a text."""
    layout = layout_of(page, RecordGroup(members, ""))
    inside = replace(layout.records, outer=members, outer_owner=layout.records.owner)
    reading = read_group(replace(layout, records=inside, is_list=False))
    return reading if reading.drafts and all(map(_is_whole, reading.drafts)) else None


def are_called_comments(groups: Sequence[RecordGroup], columns: Columns) -> bool:
    """Whether one of the groups, an element closely around it, or the heading before it has a name for what readers write."""
    named = any(_WRITTEN.search(names) for group in groups for names in names_around(int(group.members[-1]), columns))
    return named or any(is_headed(int(group.members[0]), columns) for group in groups)


def are_whole_comments(reading: RecordReading) -> bool:
    """Whether all records have an author and a text, these differ, and the group is called comments, or the heading before it does
    that, or a name closely around it, and all have a time too."""
    layout, drafts = reading.layout, reading.drafts
    if layout.is_list or len(drafts) < _MIN_WHOLE or not all(draft.author for draft in drafts):
        return False
    texts = {draft.own_text for draft in drafts if len(draft.own_text) >= MIN_CHARS}
    called = COMMENT.search(group_names(layout.group, layout.columns))
    if len(texts) == len(drafts) and (called or is_headed(int(layout.records.outer[0]), layout.columns)):
        return True
    timed = all(draft.time_text for draft in drafts) and len(texts) >= _MOST_SHARE * len(drafts)
    return timed and any(map(COMMENT.search, names_around(int(layout.members[-1]), layout.columns)))


def _members(page: Document) -> Members:
    """The first element with each number, among those named as comments; without any, the first one that is called a comment."""
    pairs, which = page.columns.names
    first: dict[str, int] = {}
    for pair, (name, identity) in enumerate(pairs):
        found = _NUMBERED.search(identity)
        if found and _NAMED.search(f"{name} {identity}".lower()):
            first.setdefault(found[1], pair)
    if not first:
        return _called(page)[:1]
    return np.sort([page.columns.readable[np.argmax(which == pair)] for pair in first.values()]).astype(np.intp)


def _called(page: Document) -> Members:
    """The elements that are called comments, and are no boxes with a form to write one."""
    columns, (pairs, which) = page.columns, page.columns.names
    called = [pair for pair, (name, _) in enumerate(pairs) if "comment" in name and _CALLED.search(name)]
    places = columns.readable[np.isin(which, called)].astype(np.intp)
    fields = np.flatnonzero(columns.tagged("textarea"))
    own = np.searchsorted(fields, places) == np.searchsorted(fields, columns.end[places])
    return np.asarray(places[own])


def _is_whole(draft: Draft) -> bool:
    return bool(draft.author and draft.time_text) and len("".join(draft.own_text.split())) >= MIN_CHARS
