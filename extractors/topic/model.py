"""A topic: concepts of three classes, each a word with its synonyms."""

from dataclasses import dataclass
from enum import StrEnum


class TermClass(StrEnum):
    """What a term is to its topic."""

    SUBJECT = "subject"
    """The organisations and people concerned."""
    PROFESSIONAL = "professional"
    """Technical terms, hardly used outside the field."""
    INTELLIGENCE = "intelligence"
    """Words that show that a page is valuable."""


@dataclass(frozen=True, slots=True)
class Term:
    """A concept: its word, class, weight (0 … 1) and synonyms. dynamic: it was learned, not given by an expert."""

    word: str
    term_class: TermClass = TermClass.PROFESSIONAL
    weight: float = 1.0
    synonyms: tuple[str, ...] = ()
    dynamic: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """What a crawl is about.

    Attributes:
        seeds: addresses where a crawl for it starts.
        threshold: relevance (0 … 1) from which a page is about it.
        languages: codes of the wanted languages; empty for all.
    """

    name: str
    terms: tuple[Term, ...]
    description: str = ""
    seeds: tuple[str, ...] = ()
    threshold: float = 0.5
    languages: tuple[str, ...] = ()
