"""Terms of a topic: candidates to accept or reject, terms in use, and topic versions."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from console.frame.app_context import AppContext
from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.pages.topic_choice import book_of, chosen_topic
from console.queries.terms import SORTS, terms
from console.queries.topic_overview import known_topics, overview, topic_files
from crawler.terms.term_store import TermStore
from extractors.topic.library import DynamicTerm, TermState, TopicLibrary
from extractors.topic.model import Term, TermClass
from pipelines.stores.base import Condition, Row
from pipelines.stores.tables import TERMS

_STATES = tuple(str(state) for state in TermState)
_CLASSES = tuple(str(each) for each in TermClass)
_MAX_WORDS = 50
_MAX_CHARS = 60
_MAX_WAITING = 100
_MAX_GIVEN = 300


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store = ctx.app.store
    files, faults = topic_files(ctx.app.settings)
    name = chosen_topic(ctx, files)
    state, sort = ctx.params.get("state", "candidate"), ctx.params.get("sort", "score")
    after = cursor_of(ctx.params, 2)
    found = terms(store, name, state, sort, after)
    given = files[name].terms[:_MAX_GIVEN] if name in files else ()
    return {
        "topic": overview(store, name, files.get(name)),
        "topics": [overview(store, each, files.get(each)) for each in known_topics(store, files)],
        "faults": faults,
        "given": [
            {"word": term.word, "class": str(term.term_class), "synonyms": list(term.synonyms)} for term in given
        ],
        **found.shown(),
    }


def _decide(ctx: RequestContext, form: Mapping[str, Any], state: TermState) -> ActionOutcome:
    """Set the state of every word of the form, if each still has the state that was shown."""
    book = book_of(ctx, form["topic"])
    library = book.library()
    words = [word.strip() for word in form["words"].split("\n") if word.strip()][:_MAX_WORDS]
    before = [_waiting(library, word, form["was"]) for word in words]
    term_class = TermClass(form["class"]) if "class" in form else None
    person = ctx.person.name
    book.save([library.decide(word, state, by=person, now=ctx.now, term_class=term_class) for word in words])
    facts = {"topic": form["topic"], "n": len(words), "to": str(state), "before": [_kept(entry) for entry in before]}
    return ActionOutcome("、".join(entry.term.word for entry in before)[:300], facts)


def _waiting(library: TopicLibrary, word: str, was: str) -> DynamicTerm:
    entry = library.get(word)
    if entry is None:
        raise ActionRefusedError("terms.unknown", word=word)
    if str(entry.state) != was:
        raise ActionRefusedError("terms.faster", word=word, by=entry.history[-1].by if entry.history else "—")
    return entry


def _kept(entry: DynamicTerm) -> dict[str, Any]:
    """The facts needed by the undo."""
    term = entry.term
    return {"word": term.word, "state": str(entry.state), "class": str(term.term_class), "weight": term.weight}


def _add(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Add a term without a proposal; in use at once."""
    book, word = book_of(ctx, form["topic"]), " ".join(form["word"].split())[:_MAX_CHARS]
    library = book.library()
    if library.is_given(word):
        raise ActionRefusedError("terms.given.refused", word=word)
    old = library.get(word)
    if old is not None and old.state is TermState.ACCEPTED:
        raise ActionRefusedError("terms.faster", word=word, by=old.history[-1].by if old.history else "—")
    synonyms = tuple(each.strip() for each in form.get("synonyms", "").replace("、", ",").split(",") if each.strip())
    if old is None:
        library.add(DynamicTerm(Term(word, dynamic=True), TermState.CANDIDATE, f"added by {ctx.person.name}"))
    term_class = TermClass(form.get("class", TermClass.PROFESSIONAL))
    added = library.decide(
        word,
        TermState.ACCEPTED,
        by=ctx.person.name,
        now=ctx.now,
        term_class=term_class,
        synonyms=synonyms or None,
    )
    book.save([added])
    before = [_kept(old) if old else {"word": word, "state": "", "class": "", "weight": 0.0}]
    return ActionOutcome(word, {"topic": form["topic"], "n": 1, "to": str(TermState.ACCEPTED), "before": before})


def _undo(ctx: RequestContext, row: Row) -> None:
    """The states, classes and weights from before; refused if a later decision concerns one of the terms."""
    facts = row["facts"]
    book = book_of(ctx, facts["topic"])
    library = book.library()
    for each in facts["before"]:
        _waiting(library, each["word"], facts["to"])
    _restore(ctx, book, library, [each for each in facts["before"] if each["state"]])
    for each in facts["before"]:
        if not each["state"]:
            book.forget(each["word"])


def _restore(ctx: RequestContext, book: TermStore, library: TopicLibrary, kept: Sequence[Mapping[str, Any]]) -> None:
    restored = [
        library.decide(
            each["word"],
            TermState(each["state"]),
            by=ctx.person.name,
            now=ctx.now,
            term_class=TermClass(each["class"]),
            weight=each["weight"],
        )
        for each in kept
    ]
    book.save(restored, decided=True)


def _waits(app_context: AppContext) -> int:
    """Candidates of topics that have a file."""
    found = 0
    for name in topic_files(app_context.settings)[0]:
        where = [Condition("topic", "=", name), Condition("state", "=", str(TermState.CANDIDATE))]
        found += app_context.store.count(TERMS, where, _MAX_WAITING)
    return min(found, _MAX_WAITING)


_TOPIC = Param("topic", required=True, says="name of the topic")
_DECISION = (
    _TOPIC,
    Param("words", required=True, says="the terms, one on each line"),
    Param("was", "choice", _STATES, required=True, says="the state in which you saw them"),
    Param("class", "choice", _CLASSES),
)
PAGE = ConsolePage(
    name="terms",
    path="/terms",
    view=_view,
    group="collect",
    params=(
        Param("topic", says="name of the topic; that with candidates if it is left out"),
        Param("state", "choice", _STATES),
        Param("sort", "choice", SORTS),
        AFTER,
    ),
    actions=(
        Action("accept", partial(_decide, state=TermState.ACCEPTED), fields=_DECISION, undo=_undo),
        Action("reject", partial(_decide, state=TermState.REJECTED), fields=_DECISION, undo=_undo),
        Action(
            "add",
            _add,
            fields=(_TOPIC, Param("word", required=True), Param("class", "choice", _CLASSES), Param("synonyms")),
            undo=_undo,
        ),
    ),
    waits=_waits,
)
