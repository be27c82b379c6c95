"""Which topic a page is about."""

from collections.abc import Mapping

from console.frame.page import RefusedError
from console.frame.visit import Visit
from console.queries.topics import known_topics, overview, topic_files
from crawler.terms.term_store import TermStore
from extractors.topic.model import Topic


def chosen_topic(visit: Visit, files: Mapping[str, Topic]) -> str:
    """The one in the address; else that whose candidates wait, else the one that was changed last. "" if there is none."""
    names = known_topics(visit.desk.store, files)
    if "topic" in visit.params:
        return str(visit.params["topic"])
    seen = [overview(visit.desk.store, name, files.get(name)) for name in names]
    best = max(seen, key=lambda each: (each["counts"]["candidate"] > 0, each["changed_at"]), default=None)
    return str(best["name"]) if best else ""


def book_of(visit: Visit, name: str) -> TermStore:
    """The library of a topic; RefusedError if no file declares it."""
    topic = topic_files(visit.desk.settings)[0].get(name)
    if topic is None:
        raise RefusedError("terms.no_file", 404, topic=name)
    return TermStore(visit.desk.store, topic)
