"""What a topic is: concepts of three classes, each a word with those that mean the same."""

from dataclasses import dataclass
from enum import StrEnum


class TermClass(StrEnum):
    """What a term is to its topic."""

    SUBJECT = "subject"
    """The bodies and people concerned."""
    PROFESSIONAL = "professional"
    """Terms of art, which point at the field and hardly anything else."""
    INTELLIGENCE = "intelligence"
    """Words which show that a page is worth having."""


@dataclass(frozen=True, slots=True)
class Term:
    """A concept: its word, its class, how much it counts (0 … 1), words that stand for it, and whether it was gained while
    crawling (of the dynamic library) and not given by an expert (of the static one)."""

    word: str
    term_class: TermClass = TermClass.PROFESSIONAL
    weight: float = 1.0
    synonyms: tuple[str, ...] = ()
    dynamic: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """What a crawl is about.

    Attributes:
        seeds: addresses at which a crawl for it begins.
        threshold: relevance (0 … 1) from which a page belongs to it.
        languages: codes of the languages in which it is wanted; empty for all.
    """

    name: str
    terms: tuple[Term, ...]
    description: str = ""
    seeds: tuple[str, ...] = ()
    threshold: float = 0.5
    languages: tuple[str, ...] = ()
