"""The records of a page: posts, comments, reviews, answers, or lines of a thread list."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

RecordKind = Literal["thread", "thread_list", "comments", "reviews", "qa", "none"]


@dataclass(frozen=True, slots=True)
class Record:
    """One post, comment, review, answer, or one line of a thread list; missing fields are ""."""

    author: str = ""
    author_url: str = ""
    time: str = ""
    """ISO 8601."""
    time_text: str = ""
    """The time as the page writes it."""
    last_time: str = ""
    """Time of the last answer to a listed thread, ISO 8601."""
    last_time_text: str = ""
    title: str = ""
    url: str = ""
    text: str = ""
    """Including quotes, in the order of the page."""
    own_text: str = ""
    """`text` without `quote`."""
    replies: str = ""
    views: str = ""
    likes: str = ""
    floor: str = ""
    quote: str = ""
    parent: int = -1
    """The number of the record that this record answers, if the markup shows it; else −1."""
    is_first: bool = False
    key: str = ""
    """Identifies the record within its page over visits."""


class Draft(NamedTuple):
    """A record with the fields of `Record` by which groups are compared."""

    author: str
    author_url: str
    time: str
    time_text: str
    title: str
    url: str
    text: str
    own_text: str
    quote: str
    parent: int


def _no_chunks() -> NDArray[np.intp]:
    return np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class RecordSet:
    """The records of one page in document order."""

    kind: RecordKind
    records: tuple[Record, ...] = ()
    next_page: str = ""
    first_page: str = ""
    """The address of the thread's first page; "" on that page."""
    confidence: float = 0.0
    text_chunks: NDArray[np.intp] = field(default_factory=_no_chunks, compare=False, repr=False)
    """The page's chunks in the records' texts, ascending."""
    record_chunks: NDArray[np.intp] = field(default_factory=_no_chunks, compare=False, repr=False)
    """The page's chunks that belong to the records: texts and other fields."""
