"""Comments that a heading or a link to reply tells of, where the names of classes say nothing."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.records.groups import Members
from extractors.records.signals import page_signals

MIN_CHARS = 20
"""Minimum visible characters of a comment; shorter texts are often those of the page: "no comments yet"."""
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
"""Words of links to reply."""
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


class _Hint(NamedTuple):
    """The chunk of the time of what may be a comment, and the first chunk that may belong to it; whether a heading before it tells of it,
    and whether this is enough without a link to reply."""

    time: int
    first: int
    is_heading: bool
    is_sure: bool


def announced_comments(page: Document) -> Iterator[Members]:
    """Elements with a time and a text closely below a heading that announces comments, or before a link to reply; each with its
    siblings that have them too."""
    columns, signals = page.columns, page.once(page_signals)
    asked = columns.within(_FORMS[columns.tag])[columns.owner]
    spoken = np.where(asked, 0, signals.visible)
    said = columns.subtree_chunks(np.where(signals.has_time | signals.linked | (spoken < MIN_CHARS), 0, spoken))
    forms, running = columns.subtree_chunks(asked.astype(np.int64)), np.concatenate(([0], np.cumsum(spoken)))
    whole = (signals.times > 0) & (said >= MIN_CHARS) & (forms == 0) & (columns.text_length <= _MAX_CHARS)
    for hint in islice(_hints(page, np.flatnonzero(signals.has_time & ~asked)), _MAX_HINTS):
        place = int(columns.owner[hint.time])
        while place > 0 and said[place] < MIN_CHARS:
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


def is_headed(place: int, columns: Columns) -> bool:
    """Whether the heading closely before an element announces what readers wrote: "3 comments". Class names may say nothing."""
    headings = np.flatnonzero(_HEADINGS[columns.tag[:place]])
    if not len(headings):
        return False
    last = int(headings[-1])
    near = columns.chunk_start[place] - columns.chunk_end[last] <= _MAX_CHUNKS_BETWEEN
    return bool(
        near and columns.text_length[last] <= _MAX_HEADING_CHARS and _ANNOUNCED.search(columns.text(last).lower())
    )
