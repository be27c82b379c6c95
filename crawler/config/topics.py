"""Reads topics: settings/topics/NAME.yaml."""

from dataclasses import replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from crawler.config.yaml_file import Declaration, DeclarationError, beside
from extractors.topic.dictionary import with_translations
from extractors.topic.model import Term, TermClass, Topic
from extractors.topic.thesaurus import ThesaurusError, read_thesaurus

_KEYS = {"name", "description", "terms", "seeds", "sites", "sources", "threshold", "languages", "thesaurus"}
_TERM_KEYS = {"word", "weight", "synonyms"}


def topic_path(folder: Traversable, name: str) -> Traversable:
    """The path of a topic's file; `name` may be a path. If it does not exist, the DeclarationError lists all topics."""
    own = Path(name)
    path: Traversable = own if name.endswith((".yaml", ".yml")) else folder / "topics" / f"{name}.yaml"
    if not path.is_file():
        there = ", ".join(topic_names(own.parent if path is own else folder / "topics")) or "none"
        raise DeclarationError(f"There is no topic {name}: {path} does not exist. Topics there: {there}.")
    return path


def topic_names(folder: Traversable) -> list[str]:
    there = folder.iterdir() if folder.is_dir() else ()
    return sorted(path.name.removesuffix(".yaml") for path in there if path.name.endswith(".yaml"))


def read_topic(path: Traversable) -> Topic:
    """The topic of a file. Raises DeclarationError with file, line and key of a mistake.

    `terms` holds a list for each class (subject, professional, intelligence); a term is a word, or a mapping with `word`
    and optionally `weight` (0 … 1) and `synonyms`. Synonyms and narrower terms in the topic's thesaurus become synonyms
    of a term, as do its translations into the languages of the topic (see `extractors.topic.dictionary`).
    """
    given = Declaration(path)
    given.refuse_unknown(_KEYS)
    name = given.values.get("name", path.name.rpartition(".")[0])
    if not isinstance(name, str) or not name:
        given.fail("name", "must be text")
    threshold = given.number("threshold", 0.5)
    if threshold > 1:
        given.fail("threshold", f"must be between 0 and 1, not {threshold}")
    languages = _texts(given, "languages")
    return Topic(
        name,
        with_translations(_with_thesaurus(given, path, _terms(given)), languages),
        str(given.values.get("description", "")),
        _texts(given, "seeds"),
        threshold,
        languages,
        _texts(given, "sources"),
    )


def _with_thesaurus(given: Declaration, path: Traversable, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    if "thesaurus" not in given.values:
        return terms
    try:
        thesaurus = read_thesaurus(beside(path, given.text("thesaurus")))
    except ThesaurusError as error:
        given.fail("thesaurus", str(error))
    return tuple(
        replace(term, synonyms=tuple(dict.fromkeys([*term.synonyms, *sorted(thesaurus.stands_for(term.word))])))
        for term in terms
    )


def sites_of(path: Traversable) -> tuple[str, ...]:
    return _texts(Declaration(path), "sites")


def thesaurus_of(path: Traversable) -> Traversable | None:
    """The thesaurus of a topic, by its path relative to the topic's file; None if there is none."""
    given = Declaration(path)
    return beside(path, given.text("thesaurus")) if "thesaurus" in given.values else None


def _texts(given: Declaration, key: str) -> tuple[str, ...]:
    values = given.values.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, str) and value.strip() for value in values):
        given.fail(key, "must be a list of texts")
    return tuple(value.strip() for value in values)


def _terms(given: Declaration) -> tuple[Term, ...]:
    classes = next((value for key, value in given.node.value if key.value == "terms"), None)
    if classes is None:
        return ()
    if not isinstance(classes, yaml.MappingNode):
        given.fail("terms", f"must hold lists of terms for {', '.join(TermClass)}")
    terms = []
    for key, words in classes.value:
        line = key.start_mark.line + 1
        if key.value not in set(TermClass):
            given.fail(f"terms.{key.value}", f"is not a class; there are {', '.join(TermClass)}", line)
        if not isinstance(words, yaml.SequenceNode):
            given.fail(f"terms.{key.value}", "must be a list of terms", line)
        terms += [_term(given, node, TermClass(key.value)) for node in words.value]
    if not terms:
        given.fail("terms", "holds no term")
    return tuple(terms)


def _term(given: Declaration, node: yaml.Node, term_class: TermClass) -> Term:
    line, key = node.start_mark.line + 1, f"terms.{term_class}"
    value: Any = yaml.SafeLoader("").construct_object(node, deep=True)
    if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
        return Term(str(value).strip(), term_class)
    if not isinstance(value, dict) or not isinstance(value.get("word"), str) or not value["word"].strip():
        given.fail(key, "a term is a word, or has a key `word`", line)
    if unknown := sorted(str(name) for name in value if name not in _TERM_KEYS):
        given.fail(f"{key}.{unknown[0]}", f"is not known; there are {', '.join(sorted(_TERM_KEYS))}", line)
    weight, synonyms = value.get("weight", 1.0), value.get("synonyms") or []
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight <= 1:
        given.fail(f"{key}.weight", f"must be above 0 and at most 1, not {weight!r}", line)
    if not isinstance(synonyms, list) or not all(isinstance(word, str) and word.strip() for word in synonyms):
        given.fail(f"{key}.synonyms", "must be a list of words", line)
    return Term(value["word"].strip(), term_class, float(weight), tuple(word.strip() for word in synonyms))
