"""A topic: concepts in three classes, each a word with its synonyms."""

from dataclasses import dataclass
from enum import StrEnum


class TermClass(StrEnum):
    """The role of a term in its topic."""

    SUBJECT = "subject"
    """The organisations and people concerned."""
    PROFESSIONAL = "professional"
    """Technical terms, rarely used outside the field."""
    INTELLIGENCE = "intelligence"
    """Words that show that a page is valuable."""


@dataclass(frozen=True, slots=True)
class Term:
    """A concept: its word, class, weight (0 … 1) and synonyms. dynamic: learned, not given by an expert."""

    word: str
    term_class: TermClass = TermClass.PROFESSIONAL
    weight: float = 1.0
    synonyms: tuple[str, ...] = ()
    dynamic: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of a crawl.

    Attributes:
        seeds: start addresses of a crawl for it.
        threshold: minimum relevance (0 … 1) of a page of the topic.
        languages: codes of the wanted languages; empty for all.
        sources: names of lists that a crawl for it reads.
    """

    name: str
    terms: tuple[Term, ...]
    description: str = ""
    seeds: tuple[str, ...] = ()
    threshold: float = 0.5
    languages: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
