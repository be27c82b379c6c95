"""Knows lists of threads whose lines name no author: nearly each has a title, a time and a labelled number of replies."""

from extractors.records.fields.counts import find_counts
from extractors.records.read import RecordReading

_MIN_LINES = 5
_NEARLY_ALL_SHARE = 0.9


def is_counted_list(reading: RecordReading) -> bool:
    """Whether a reading is such a list. The forests mostly know lists with authors."""
    layout, drafts = reading.layout, reading.drafts
    least = _NEARLY_ALL_SHARE * len(layout.members)
    timed = sum(bool(draft.title and draft.time) for draft in drafts)
    if not layout.is_list or len(drafts) < _MIN_LINES or timed < least:
        return False
    counts = find_counts(layout, set(reading.fields.times.chunks.values()))
    replies = counts.values["replies"] if "replies" in counts.labelled else {}
    return len({draft.title for draft in drafts}) >= least and len(replies) >= least


def is_viewed_list(reading: RecordReading) -> bool:
    """Whether such a list also has labelled numbers of views: lists of articles count comments only."""
    counts = find_counts(reading.layout, set(reading.fields.times.chunks.values()))
    return is_counted_list(reading) and "views" in counts.labelled
