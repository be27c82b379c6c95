"""A topic's words for queries, from a file."""

from importlib.resources.abc import Traversable
from typing import Any

import yaml

from crawler.config.arguments import ArgumentError
from crawler.config.topics import read_topic
from crawler.metasearch.queries import Terms
from extractors.topic.model import TermClass, Topic


def read_terms(path: Traversable) -> Terms:
    """A topic's file (its intelligence terms are aspects of the others), a YAML file with `subjects` and perhaps
    `aspects` (lists of words), or a text file with a term on each line.

    Raises ArgumentError with what is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"The terms in {path} cannot be read: {error}.") from error
    if not path.name.endswith((".yaml", ".yml")):
        lines = (line.strip() for line in text.splitlines())
        return _checked(path, [line for line in lines if line and not line.startswith("#")], [])
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ArgumentError(f"{path} is no YAML: {error}") from error
    if not isinstance(values, dict):
        raise ArgumentError(f"{path} needs a key subjects with a list of words.")
    if "terms" in values:
        return terms_of(read_topic(path))
    return _checked(path, values.get("subjects"), values.get("aspects") or [])


def terms_of(topic: Topic) -> Terms:
    """A topic's words; its intelligence terms are what one wants to know of the others."""
    aspects = tuple(term.word for term in topic.terms if term.term_class is TermClass.INTELLIGENCE)
    subjects = tuple(term.word for term in topic.terms if term.term_class is not TermClass.INTELLIGENCE)
    weights = {term.word: term.weight for term in topic.terms}
    return Terms(subjects or aspects, aspects if subjects else (), weights)


def _checked(path: Traversable, subjects: Any, aspects: Any) -> Terms:
    for key, words in (("subjects", subjects), ("aspects", aspects)):
        if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
            raise ArgumentError(f"{path}: {key} must be a list of words.")
    if not subjects:
        raise ArgumentError(f"{path} holds no terms.")
    return Terms(tuple(word.strip() for word in subjects), tuple(word.strip() for word in aspects))
