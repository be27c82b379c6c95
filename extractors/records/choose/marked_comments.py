"""Comments that a page marks by number or by name, where no group of elements is chosen: most often there is only one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.records.groups import Members, RecordGroup, group_names, names_around
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group
from extractors.records.read.model import Draft
from extractors.records.signals import page_signals
from extractors.records.signals.class_names import tell_parts
from extractors.records.signals.template_words import COMMENT

_NAMED = re.compile(r"comment|reply|answer")
_NUMBERED = re.compile(r"(?:^|[-_])(?:c|comment|reply|answer)[-_]?(\d{1,12})(?:[-_][a-z]{1,8}[-_].*)?$", re.I)
"""An id: "comment-1234", "comment-12-by-jane"."""
_CALLED = re.compile(r"(?:^|[-_\s])comment(?:[-_]?(?:row|item|box|entry))?(?:\s|$)")
"""A class that calls an element a comment: "tk-comment"."""
_WRITTEN = re.compile(r"comment|repl(?:y|ies)|review|answer|opini|komm?ent|评论|回复")
_ANNOUNCED = re.compile(
    r"\b(?:comments?|repl(?:y|ies)|reviews?|responses? to|thoughts? on)\b|komm?entar|commentaire|comentario|reacties|opini[eo]|yorum"
    r"|(?:gedanken?|antwort(?:en)?) (?:zu|auf)\b"
    r"|коммент|отзыв|评论|回复|留言|コメント|댓글"
)
"""Words of headings of comments."""
_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")
_REPLY = re.compile(
    r"(?:repl(?:y|ies)|respond|回复|回覆|返信|답글|antworten|répondre|respond[ei]r|rispondi|ответить|odpowiedz|yanıtla|reageer|beantwoord)\b"
)
"""What links to reply say."""
_MAX_REPLY_CHARS, _MAX_CHUNKS = 20, 30
"""Characters of a link to reply, and chunks between the time of a comment and such a link."""
_COUNTED = re.compile(r"\W*(?:[1-9]\d*|one|eine?|une?|uma?|uno|una|один|одна|jeden|een|bir|一)\b")
"""Beginnings of headings that count comments."""
_MAX_CHUNKS_AFTER, _MAX_CHARS = 2, 3_000
"""Chunks after a comment that a link to reply may be in, and visible characters of a comment."""
_MAX_HINTS = 20
"""Maximum headings and links that are followed."""
_MAX_CHARS_BETWEEN = 40
"""Visible characters between a heading and the first comment, without forms."""
_FORMS = tag_set("form", "nav", "select", "textarea")
_MAX_CHUNKS_BETWEEN, _MAX_HEADING_CHARS = 6, 80
_MIN_WHOLE = 3
"""Minimum comments that are known by their name, authors and texts alone."""
_MOST_SHARE = 0.8
"""Minimum share of texts that are long and different, where times tell too."""
_MIN_CHARS = 20
"""Minimum visible characters of a comment; shorter texts are often those of the page: "no comments yet"."""


class _Hint(NamedTuple):
    """The chunk of the time of what may be a comment, and the first chunk that may belong to it; whether a heading before it tells of it,
    and whether this is enough without a link to reply."""

    time: int
    first: int
    is_heading: bool
    is_sure: bool


def marked_comments(page: Document) -> RecordReading | None:
    """The numbered comments, if each has an author, a time and a text; where names say nothing, those that a heading or links to reply
    tell of."""
    members = _members(page)
    if len(members):
        return _read(page, members)
    found = [] if page.once(tell_parts) else [each for each in _announced(page) if _read(page, each)]
    return _read(page, _around_first(page.columns, found)) or _read(page, found[0]) if found else None


def _around_first(columns: Columns, found: Sequence[Members]) -> Members:
    """All elements that were found inside the parent of the first: answers have another form."""
    every, above = np.unique(np.concatenate(found)), max(0, int(columns.parent[found[0][0]]))
    return np.asarray(every[(every > above) & (every < columns.end[above])])


def _announced(page: Document) -> Iterator[Members]:
    """What has a time and a text closely below a heading that announces comments, or before a link to reply; each with its siblings
    that have them too."""
    columns, signals = page.columns, page.once(page_signals)
    asked = columns.within(_FORMS[columns.tag])[columns.owner]
    spoken = np.where(asked, 0, signals.visible)
    said = columns.subtree_chunks(np.where(signals.has_time | signals.linked | (spoken < _MIN_CHARS), 0, spoken))
    forms, running = columns.subtree_chunks(asked.astype(np.int64)), np.concatenate(([0], np.cumsum(spoken)))
    whole = (signals.times > 0) & (said >= _MIN_CHARS) & (forms == 0) & (columns.text_length <= _MAX_CHARS)
    for hint in islice(_hints(page, np.flatnonzero(signals.has_time & ~asked)), _MAX_HINTS):
        place = int(columns.owner[hint.time])
        while place > 0 and said[place] < _MIN_CHARS:
            place = int(columns.parent[place])
        start = columns.chunk_start[place]
        if (
            place <= 0
            or start < hint.first
            or (hint.is_heading and running[start] - running[hint.first] > _MAX_CHARS_BETWEEN)
        ):
            continue
        place = _widest(columns, place, hint.first, (signals.times == signals.times[place]) & (forms == 0))
        members = place + np.flatnonzero((whole & _beside(columns, place))[place:])
        near = signals.texts.lowered[start : columns.chunk_end[place] + _MAX_CHUNKS_AFTER]
        if len(members) and (hint.is_sure or any(map(_replies, near))):
            yield members


def _beside(columns: Columns, place: int) -> NDArray[np.bool_]:
    """bool[N]: the element has the parent and the tag of another."""
    return np.asarray((columns.parent == columns.parent[place]) & (columns.tag == columns.tag[place]))


def _widest(columns: Columns, place: int, least: int, fit: NDArray[np.bool_]) -> int:
    """The outermost element around a place that is fit, as all between are, and does not begin before the chunk `least`."""
    above = int(columns.parent[place])
    while above > 0 and fit[above] and columns.chunk_start[above] >= least:
        place, above = above, int(columns.parent[above])
    return place


def _hints(page: Document, times: Members) -> Iterator[_Hint]:
    """Where comments may begin by headings and links. times: the chunks that may be a comment's time, ascending."""
    columns, texts = page.columns, page.once(page_signals).texts.lowered
    for place in np.flatnonzero(_HEADINGS[columns.tag]).tolist():
        end = int(columns.chunk_end[place])
        after = int(np.searchsorted(times, end))
        if after < len(times) and _announces(place, columns):
            is_sure = _COUNTED.match(columns.text(place).lower()) is not None
            yield _Hint(int(times[after]), end, is_heading=True, is_sure=is_sure)
    for number in (number for number, text in enumerate(texts) if _replies(text)):
        before = int(np.searchsorted(times, number)) - 1
        if before >= 0 and number - times[before] <= _MAX_CHUNKS:
            yield _Hint(
                int(times[before]), max(0, int(times[before]) - _MAX_CHUNKS_BETWEEN), is_heading=False, is_sure=False
            )


def _replies(text: str) -> bool:
    return len(text) <= _MAX_REPLY_CHARS and _REPLY.match(text) is not None


def _announces(place: int, columns: Columns) -> bool:
    """Whether a heading says that comments follow; counters of comments at the top of articles are links."""
    brief = 2 * columns.link_length[place] < columns.text_length[place] <= _MAX_HEADING_CHARS
    return bool(brief and _ANNOUNCED.search(columns.text(place).lower()))


def _read(page: Document, members: Members) -> RecordReading | None:
    """The reading of these elements, if all have an author, a time and a text."""
    layout = layout_of(page, RecordGroup(members, ""))
    inside = replace(layout.records, outer=members, outer_owner=layout.records.owner)
    reading = read_group(replace(layout, records=inside, is_list=False))
    return reading if reading.drafts and all(map(_is_whole, reading.drafts)) else None


def are_called_comments(groups: Sequence[RecordGroup], columns: Columns) -> bool:
    """Whether one of the groups, an element closely around it, or the heading before it has a name for what readers write."""
    named = any(_WRITTEN.search(names) for group in groups for names in names_around(int(group.members[-1]), columns))
    return named or any(_is_headed(int(group.members[0]), columns) for group in groups)


def _is_headed(place: int, columns: Columns) -> bool:
    """Whether the heading closely before an element announces what readers wrote: "3 comments". Class names may say nothing."""
    headings = np.flatnonzero(_HEADINGS[columns.tag[:place]])
    if not len(headings):
        return False
    last = int(headings[-1])
    near = columns.chunk_start[place] - columns.chunk_end[last] <= _MAX_CHUNKS_BETWEEN
    return bool(
        near and columns.text_length[last] <= _MAX_HEADING_CHARS and _ANNOUNCED.search(columns.text(last).lower())
    )


def are_whole_comments(reading: RecordReading) -> bool:
    """Whether all records have an author and a text, these differ, and the group is called comments, or the heading before it does
    that, or a name closely around it, and all have a time too."""
    layout, drafts = reading.layout, reading.drafts
    if layout.is_list or len(drafts) < _MIN_WHOLE or not all(draft.author for draft in drafts):
        return False
    texts = {draft.own_text for draft in drafts if len(draft.own_text) >= _MIN_CHARS}
    called = COMMENT.search(group_names(layout.group, layout.columns))
    if len(texts) == len(drafts) and (called or _is_headed(int(layout.records.outer[0]), layout.columns)):
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
    return bool(draft.author and draft.time_text) and len("".join(draft.own_text.split())) >= _MIN_CHARS
