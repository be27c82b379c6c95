"""The content of a document."""

import re
from dataclasses import dataclass

TITLE_CHARS = range(2, 201)
_NO_TITLE = re.compile(
    r"^(?:untitled.*|document\d*|microsoft word\b.*|powerpoint.*|slide \d+|.*\.(?:docx?|pdf|wps|pptx?|xlsx?|indd|qxd|tex|dvi))$",
    re.I,
)
_NO_AUTHOR = re.compile(
    r"^(?:user|admin(?:istrator)?|owner|windows.*|microsoft.*|hp|lenovo|dell|unknown|openpyxl|[a-z0-9]{1,2})$", re.I
)
_MAX_AUTHOR_CHARS = 100


@dataclass(frozen=True, slots=True)
class Content:
    """Text and metadata of a document; "" where it has none.

    Attributes:
        paragraphs: its text. created, modified: ISO 8601, with the zone where the document gives one.
        is_cut: the limits cut off pages or characters.
    """

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    paragraphs: tuple[str, ...] = ()
    is_cut: bool = False


def declared_title(said: str) -> str:
    """The title that a file declares, "" for default titles of programs."""
    title = " ".join(said.split())
    return "" if _NO_TITLE.match(title) or len(title) not in TITLE_CHARS else title


def declared_author(said: str) -> str:
    """The author that a file declares, "" for names of accounts and programs."""
    name = " ".join(said.split())
    return "" if _NO_AUTHOR.match(name) or len(name) > _MAX_AUTHOR_CHARS else name
