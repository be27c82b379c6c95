"""Reads and writes topics: settings/topics/NAME.yaml."""

import os
import re
from dataclasses import dataclass, replace
from hashlib import blake2b
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from crawler.config.topic_file import DEFAULT_THRESHOLD, DeclaredTopic, changed_text, comments_of
from crawler.config.yaml_file import Declaration, DeclarationError, beside
from extractors.topic.dictionary import with_translations
from extractors.topic.model import Term, TermClass, Topic
from extractors.topic.thesaurus import ThesaurusError, read_thesaurus

__all__ = [
    "DEFAULT_THRESHOLD",
    "TOPIC_NAME",
    "DeclaredTopic",
    "SavedTopic",
    "declared_topic",
    "read_topic",
    "restore_topic",
    "save_topic",
    "sites_of",
    "thesaurus_of",
    "topic_names",
    "topic_of",
    "topic_path",
    "version_of",
]

_KEYS = {"name", "description", "terms", "seeds", "sites", "sources", "threshold", "languages", "thesaurus"}
_TERM_KEYS = {"word", "weight", "synonyms"}
TOPIC_NAME = re.compile(r"[^\W_][\w-]{0,59}")
"""Names allowed for a new topic: letters of any language, digits, - and _."""
_VERSIONS = ".versions"
_KEPT_VERSIONS = 500


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

    Synonyms and narrower terms in the topic's thesaurus become synonyms of a term, as do its translations into the
    languages of the topic (see `extractors.topic.dictionary`).
    """
    return topic_of(path, declared_topic(path))


def topic_of(path: Traversable, found: DeclaredTopic) -> Topic:
    """The topic that is declared so in this file. Raises DeclarationError if its thesaurus cannot be read."""
    terms = _with_thesaurus(path, found) if found.thesaurus else found.terms
    terms = with_translations(terms, found.languages)
    return Topic(found.name, terms, found.description, found.seeds, found.threshold, found.languages, found.sources)


def declared_topic(path: Traversable) -> DeclaredTopic:
    """The declarations of a file. Raises DeclarationError with file, line and key of a mistake.

    `terms` holds a list for each class (subject, professional, intelligence); a term is a word, or a mapping with `word`
    and optionally `weight` (0 … 1) and `synonyms`.
    """
    given = Declaration(path)
    given.refuse_unknown(_KEYS)
    name = given.values.get("name", path.name.rpartition(".")[0])
    if not isinstance(name, str) or not name:
        given.fail("name", "must be text")
    threshold = given.number("threshold", DEFAULT_THRESHOLD)
    if threshold > 1:
        given.fail("threshold", f"must be between 0 and 1, not {threshold}")
    return DeclaredTopic(
        name,
        _terms(given),
        str(given.values.get("description", "")),
        _texts(given, "seeds"),
        _texts(given, "sites"),
        _texts(given, "sources"),
        threshold,
        _texts(given, "languages"),
        given.text("thesaurus") if "thesaurus" in given.values else "",
    )


def _with_thesaurus(path: Traversable, found: DeclaredTopic) -> tuple[Term, ...]:
    try:
        thesaurus = read_thesaurus(beside(path, found.thesaurus))
    except ThesaurusError as error:
        Declaration(path).fail("thesaurus", str(error))
    return tuple(
        replace(term, synonyms=tuple(dict.fromkeys([*term.synonyms, *sorted(thesaurus.stands_for(term.word))])))
        for term in found.terms
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


# -- writing - ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SavedTopic:
    """A change of a file: the versions `before` ("" for a new file) and `after`, and the number of comments it lost."""

    before: str
    after: str
    lost: int


def save_topic(path: Path, topic: DeclaredTopic, seen: str) -> SavedTopic:
    """Write a topic into its file; comments outside the changed parts stay, and the version before is kept for `restore_topic`.

    `seen` is the version that was edited, "" for a new file. Raises DeclarationError if the file has changed since, or cannot be
    written so that it says this topic.
    """
    text = _text_of(path)
    if _version(text) != seen:
        raise DeclarationError(f"{path} has been changed meanwhile; nothing was saved")
    new, lost = changed_text(text, declared_topic(path) if text else None, topic)
    draft = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(new, encoding="utf-8")
        if declared_topic(draft) != topic:
            raise DeclarationError(f"{path} is written in a way that only people can change")
        _keep_version(path, text)
        os.replace(draft, path)
    except OSError as error:
        raise DeclarationError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
    return SavedTopic(seen, _version(new), lost)


def restore_topic(path: Path, saved: SavedTopic) -> None:
    """Undo a change. Raises DeclarationError if the file has changed since, or the version before is no longer kept."""
    text = _text_of(path)
    if _version(text) != saved.after:
        raise DeclarationError(f"{path} has been changed since; nothing was undone")
    try:
        _keep_version(path, text)
        if not saved.before:
            path.unlink()
            return
        before = _version_path(path, saved.before).read_text(encoding="utf-8")
        path.write_text(before, encoding="utf-8")
    except OSError as error:
        raise DeclarationError(f"{path}: the version before is not there: {error.strerror}") from None


def version_of(path: Path) -> tuple[str, int]:
    """The version of a file, "" if there is none, and the number of lines with a comment."""
    text = _text_of(path)
    return _version(text), comments_of(text)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise DeclarationError(f"{path}: cannot be read: {error}") from None


def _version(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest() if text else ""


def _version_path(path: Path, version: str) -> Path:
    return path.parent / _VERSIONS / f"{path.stem}-{version}.yaml"


def _keep_version(path: Path, text: str) -> None:
    """Keep a text under its digest; of very many the oldest are deleted."""
    if not text:
        return
    kept = _version_path(path, _version(text))
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(text, encoding="utf-8")
    for old in sorted(kept.parent.glob("*.yaml"), key=lambda each: each.stat().st_mtime)[:-_KEPT_VERSIONS]:
        old.unlink(missing_ok=True)
