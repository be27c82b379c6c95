"""A topic as a form: made, copied, changed, and tried on stored pages before it is saved."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import urlencode

from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.request_context import RequestContext
from console.frame.safety import scheme_of
from console.queries.topic_overview import judged_pages, topic_files, topic_place
from crawler.config.topics import (
    DEFAULT_THRESHOLD,
    TOPIC_NAME,
    DeclaredTopic,
    SavedTopic,
    declared_topic,
    restore_topic,
    save_topic,
    topic_of,
    version_of,
)
from crawler.config.yaml_file import DeclarationError
from extractors.topic.model import Term, TermClass
from pipelines.stores.base import Row

_MAX_TERMS, _MAX_WORD_CHARS = 1_000, 100
_LISTS = ("seeds", "sites", "sources")
_TERM = re.compile(r"([^=*]+?)\s*(?:=\s*([^=*]*?))?\s*(?:\*\s*([0-9.]{1,6}))?")
_BETWEEN = re.compile(r"[、,，;；]")


def _view(ctx: RequestContext) -> Mapping[str, Any] | None:
    source = ctx.params.get("topic") or ctx.params.get("copy", "")
    if not source:
        return _shown(ctx, DeclaredTopic(""), "", 0)
    path = _path(ctx, source)
    if not path.exists():
        return None
    found = _declared(path)
    if "topic" not in ctx.params:
        return _shown(ctx, DeclaredTopic("", *_but_name(found)), "", 0)
    return _shown(ctx, found, *version_of(path))


def _but_name(topic: DeclaredTopic) -> tuple[Any, ...]:
    return tuple(getattr(topic, name) for name in DeclaredTopic.__slots__[1:])


def _shown(ctx: RequestContext, topic: DeclaredTopic, version: str, comments: int, **more: Any) -> dict[str, Any]:
    """The values of the form; a term that the form cannot write makes the topic one for an editor of text."""
    texts = {str(each): "\n".join(_line(term) for term in topic.terms if term.term_class is each) for each in TermClass}
    return {
        "name": topic.name, "description": topic.description, "terms": texts, "threshold": topic.threshold,
        "languages": " ".join(topic.languages), "thesaurus": topic.thesaurus, "version": version, "comments": comments,
        **{name: "\n".join(getattr(topic, name)) for name in _LISTS},
        "is_writable": all(_term(_line(term), term.term_class) == term for term in topic.terms),
        "others": sorted(topic_files(ctx.app.settings)[0]), "preview": None,
    } | more  # fmt: skip


def _path(ctx: RequestContext, name: str) -> Path:
    path = topic_place(ctx.app.settings, name) if TOPIC_NAME.fullmatch(name) else None
    if path is None:
        raise ActionRefusedError("topic.no_name", 400)
    return path


def _declared(path: Path) -> DeclaredTopic:
    try:
        return declared_topic(path)
    except DeclarationError as error:
        raise ActionRefusedError("topic.wrong", error=str(error)) from None


def _line(term: Term) -> str:
    """税务局 = 国税机关、税务机关 * 0.8"""
    synonyms = f" = {'、'.join(term.synonyms)}" if term.synonyms else ""
    return f"{term.word}{synonyms}{f' * {term.weight:g}' if term.weight != 1 else ''}"


def _term(line: str, term_class: TermClass) -> Term | None:
    """The term of a line; None if it is none."""
    found = _TERM.fullmatch(line.replace("＝", "=").replace("＊", "*").strip())
    words = [found[1], *_BETWEEN.split(found[2] or "")] if found else []
    words = [" ".join(word.split()) for word in words if word.strip()]
    try:
        weight = float(found[3] or 1) if found else 0.0
    except ValueError:
        return None
    if not words or not 0 < weight <= 1 or any(len(word) > _MAX_WORD_CHARS for word in words):
        return None
    return Term(words[0], term_class, weight, tuple(dict.fromkeys(words[1:])))


def _terms(form: Mapping[str, Any]) -> Iterator[Term]:
    for term_class in TermClass:
        for line in filter(str.strip, form.get(str(term_class), "").split("\n")):
            term = _term(line, term_class)
            if term is None:
                raise ActionRefusedError("topic.no_term", 400, line=line.strip()[:60])
            yield term


def _filled(ctx: RequestContext, form: Mapping[str, Any]) -> DeclaredTopic:
    """The topic of the form, with what the form does not show as the file has it."""
    name = normalize("NFC", form["name"])
    path = _path(ctx, name)
    terms = tuple({(term.word, term.term_class): term for term in _terms(form)}.values())
    if not terms or len(terms) > _MAX_TERMS:
        raise ActionRefusedError("topic.no_terms", 400, most=_MAX_TERMS)
    threshold = form.get("threshold", DEFAULT_THRESHOLD)
    if threshold > 1:
        raise ActionRefusedError("topic.no_threshold", 400)
    lists = {each: tuple(dict.fromkeys(form.get(each, "").split())) for each in ("seeds", "sites")}
    for address in (*lists["seeds"], *lists["sites"]):
        if scheme_of(address) not in ("http", "https"):
            raise ActionRefusedError("topic.no_address", 400, address=address[:100])
    kept = _declared(path) if path.exists() else DeclaredTopic(name)
    languages = tuple(dict.fromkeys(_BETWEEN.sub(" ", form.get("languages", "")).split()))
    description = " ".join(form.get("description", "").split())
    return DeclaredTopic(
        name, terms, description, lists["seeds"], lists["sites"], kept.sources, threshold, languages, kept.thesaurus
    )


def _save(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    topic = _filled(ctx, form)
    try:
        saved = save_topic(_path(ctx, topic.name), topic, form.get("version", ""))
    except DeclarationError as error:
        raise ActionRefusedError("topic.wrong", error=str(error)) from None
    facts = {"terms": len(topic.terms), "lost": saved.lost, "before": saved.before, "after": saved.after}
    return ActionOutcome(topic.name, facts, back=f"/terms?{urlencode({'topic': topic.name})}")


def _preview(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    topic = _filled(ctx, form)
    path = _path(ctx, topic.name)
    try:
        found = judged_pages(ctx.app.store, topic_of(path, topic))
        comments = version_of(path)[1]
    except DeclarationError as error:
        raise ActionRefusedError("topic.wrong", error=str(error)) from None
    return ActionOutcome(topic.name, shown=_shown(ctx, topic, form.get("version", ""), comments, preview=found))


def _undo_save(ctx: RequestContext, row: Row) -> None:
    facts = row["facts"]
    try:
        restore_topic(_path(ctx, row["subject"]), SavedTopic(facts["before"], facts["after"], 0))
    except DeclarationError as error:
        raise ActionRefusedError("topic.wrong", error=str(error)) from None


_FIELDS = (
    Param("name", required=True, says="of the topic: letters, digits, - and _"),
    Param("description"),
    *(Param(str(each), "lines", says="terms, one a line: WORD = SYNONYM, SYNONYM * WEIGHT") for each in TermClass),
    Param("threshold", "number", says="relevance, 0 to 1, from which a page is kept (0.5)"),
    Param("languages", says="codes with spaces between, such as zh en"),
    Param("seeds", "lines", says="start pages, one a line"),
    Param("sites", "lines", says="authoritative sites for the lexicon, one a line"),
    Param("version", says="of the file as it was shown; empty for a new topic"),
)
PAGE = ConsolePage(
    name="topic",
    path="/terms/topic",
    view=_view,
    params=(Param("topic", says="to be changed"), Param("copy", says="topic whose values a new one begins with")),
    actions=(
        Action("save", _save, fields=_FIELDS, undo=_undo_save),
        Action("preview", _preview, fields=_FIELDS, is_view=True),
    ),
)
