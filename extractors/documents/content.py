"""What a document holds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Content:
    """Text and metadata of a document; "" where it does not say.

    Attributes:
        paragraphs: its text. created, modified: ISO 8601, with the zone where the document gives one.
        is_cut: it has more pages or characters than were read.
    """

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    paragraphs: tuple[str, ...] = ()
    is_cut: bool = False
