"""The topic selected on a page."""

from collections.abc import Mapping

from console.frame.page import ActionRefusedError
from console.frame.request_context import RequestContext
from console.queries.topic_overview import known_topics, overview, topic_files
from crawler.terms.term_store import TermStore
from extractors.topic.model import Topic


def chosen_topic(ctx: RequestContext, files: Mapping[str, Topic]) -> str:
    """The one in the address; else that whose candidates wait, else the one that was changed last. "" if there is none."""
    names = known_topics(ctx.app.store, files)
    if "topic" in ctx.params:
        return str(ctx.params["topic"])
    seen = [overview(ctx.app.store, name, files.get(name)) for name in names]
    best = max(seen, key=lambda each: (each["counts"]["candidate"] > 0, each["changed_at"]), default=None)
    return str(best["name"]) if best else ""


def book_of(ctx: RequestContext, name: str) -> TermStore:
    """The library of a topic; RefusedError if no file declares it."""
    topic = topic_files(ctx.app.settings)[0].get(name)
    if topic is None:
        raise ActionRefusedError("terms.no_file", 404, topic=name)
    return TermStore(ctx.app.store, topic)
