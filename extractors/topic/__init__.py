"""A topic: its terms, the relevance of pages to it, and proposals for further terms."""

__all__ = [
    "dictionary",
    "etfl",
    "example_model",
    "expansion",
    "lexicon",
    "library",
    "model",
    "newwords",
    "page_text",
    "relevance",
    "thesaurus",
    "words",
]
