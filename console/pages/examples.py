"""Example pages of a topic: the most informative unmarked ones, and the marked ones."""

from collections.abc import Mapping
from typing import Any

from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.pages.topic_choice import book_of, chosen_topic
from console.queries.terms import doubtful, mark_counts, marked_pages
from console.queries.topic_overview import topic_files
from crawler.terms.learning import ExamplesError, mark
from extractors.links.urls import canonical_url, url_key
from extractors.topic.example_model import MIN_EXAMPLES
from pipelines.stores.base import Condition, Row
from pipelines.stores.tables import EXAMPLES


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store = ctx.app.store
    name = chosen_topic(ctx, topic_files(ctx.app.settings)[0])
    after = cursor_of(ctx.params, 1)
    found = marked_pages(store, name, after)
    return {
        "topic": name,
        "counts": mark_counts(store, name),
        "needed": MIN_EXAMPLES,
        "doubtful": doubtful(store, name),
        **found.shown(),
    }


def _mark(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    store, topic, url = ctx.app.store, form["topic"], form["url"]
    book_of(ctx, topic)
    if not canonical_url(url):
        raise ActionRefusedError("examples.no_address", 400)
    before = store.get(EXAMPLES, topic, url_key(url))
    try:
        mark(store, topic, url, form["answer"], ctx.person.name)
    except ExamplesError as error:
        raise ActionRefusedError("examples.refused", 400, reason=str(error)) from None
    return ActionOutcome(url, {"topic": topic, "answer": form["answer"], "before": before})


def _undo(ctx: RequestContext, row: Row) -> None:
    store, facts = ctx.app.store, row["facts"]
    key = url_key(row["subject"])
    now = store.get(EXAMPLES, facts["topic"], key)
    if now is None or bool(now["wanted"]) != (facts["answer"] == "yes"):
        raise ActionRefusedError("examples.faster", by=now["by"] if now else "—")
    if facts["before"]:
        store.upsert(EXAMPLES, [facts["before"]]).result()
    else:
        store.remove(EXAMPLES, [Condition("topic", "=", facts["topic"]), Condition("key", "=", key)]).result()


PAGE = ConsolePage(
    name="examples",
    path="/terms/pages",
    view=_view,
    params=(Param("topic", says="name of the topic"), AFTER),
    actions=(
        Action(
            "mark",
            _mark,
            fields=(
                Param("topic", required=True),
                Param("url", required=True, says="address of the page"),
                Param("answer", "choice", ("yes", "no"), required=True),
            ),
            undo=_undo,
        ),
    ),
)
