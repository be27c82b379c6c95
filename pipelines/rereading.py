"""Reads stored pages again from their sources: after an upgrade, and with the site boilerplate learned since.

Pages are read host by host in the order of their keys. Progress is stored after each batch, so that a run continues where
it was stopped or killed. A page that a crawl fetches at the same time keeps what the crawl has read.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from typing import Any

from extractors.article.parts import join_parts
from extractors.documents import Content, DocumentError, DocumentLimits, document_page, document_type, read_document
from extractors.links.urls import canonical_url, host_of, url_key
from extractors.page import Page, SiteRules
from pipelines.content import read_columns
from pipelines.discussion import record_rows
from pipelines.exporting import source_bytes
from pipelines.site_boilerplate import SiteMemories, stored_memory
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.tables import PAGES, RECORDS, REREADS, SOURCES
from pipelines.waiting import waiting_rows

_BATCH_PAGES = 25
_LEARNED_PAGES, _KNOWN_PAGES = 64, 8
"""Pages of a host that are counted before its first page is cleaned, and the known pages that make this unnecessary."""
_OF_WHOLE_TEXT = ("body", "content_hash", "confidence")
"""Columns that the first page alone does not give for an article with several pages."""
_STORED = ("fetched_at", "first_seen", "listed", "url", "canonical", "parts", "body_markdown")


@dataclass(frozen=True, slots=True)
class RereadPlan:
    """Which pages to read again, and how.

    Attributes:
        where: the rows of the table `pages`. limit: at most this many of them, 0 for all.
        records: read records too. markdown: give `body_markdown` to pages that lack it.
        memories: the boilerplate of hosts; None to remove none. queue: queue changed pages for the analysis.
        dry: write nothing. limits: of time and memory for reading a document.
        rules: of the site of a host, by which its pages are read.
    """

    where: tuple[Condition, ...] = ()
    limit: int = 0
    records: bool = True
    markdown: bool = False
    memories: SiteMemories | None = None
    queue: bool = True
    dry: bool = False
    limits: DocumentLimits = field(default_factory=DocumentLimits)
    rules: Callable[[str], SiteRules | None] = lambda host: None

    @property
    def key(self) -> str:
        """The plan's name, the same in each run."""
        return blake2b(repr(self.where).encode("utf-8", "replace"), digest_size=10).hexdigest()


@dataclass(slots=True)
class RereadOutcome:
    """Counts so far.

    Attributes:
        pages: by outcome: read, changed, without source, failed, fetched again.
        columns: rows of `pages` by column and change of its value (changed, filled, emptied).
        records: rows of `records`: new, changed, removed.
    """

    pages: Counter[str] = field(default_factory=Counter)
    columns: Counter[str] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)

    def add(self, column: str, old: Any, new: Any) -> None:
        """Count a value that has changed."""
        self.columns[f"{column} {'changed' if old and new else 'filled' if new else 'emptied'}"] += 1


Report = Callable[[RereadOutcome], None]


def reread(store: Store, plan: RereadPlan, report: Report = lambda _: None, *, again: bool = False) -> RereadOutcome:
    """Read all pages of the plan, continuing its last unfinished run; with `again`, from the beginning."""
    mark = None if again or plan.dry else store.get(REREADS, plan.key)
    outcome = RereadOutcome(*map(Counter, mark["counts"])) if mark else RereadOutcome()
    begun = mark["begun_at"] if mark else datetime.now(UTC).isoformat(timespec="seconds")
    for host, keys in _hosts(store, plan, mark["host"] if mark else ""):
        going_on = mark is not None and mark["host"] == host
        if not going_on:
            _learn(store, plan, host, keys)
        after = mark["page"] if mark and going_on else ""
        left = [key for key in keys if key > after]
        for start in range(0, len(left), _BATCH_PAGES):
            batch = left[start : start + _BATCH_PAGES]
            batch = batch[: plan.limit - outcome.pages["read"]] if plan.limit else batch
            _read_batch(store, plan, batch, outcome)
            counts = [dict(outcome.pages), dict(outcome.columns), dict(outcome.records)]
            note = {
                "key": plan.key,
                "host": host,
                "page": batch[-1] if batch else "",
                "begun_at": begun,
                "counts": counts,
            }
            if not plan.dry:
                store.upsert(REREADS, [note]).result()
            report(outcome)
            if plan.limit and outcome.pages["read"] >= plan.limit:
                return outcome
    if not plan.dry:
        store.remove(REREADS, [Condition("key", "=", plan.key)]).result()
    return outcome


def _hosts(store: Store, plan: RereadPlan, first: str) -> Iterator[tuple[str, list[str]]]:
    """Each host, starting with `first`, with the keys of its pages."""
    where = [*plan.where, Condition("host", ">=", first)]
    while rows := list(store.select(PAGES, where, [Order("host")], 1, ["host"])):
        host = rows[0]["host"]
        found = store.select(PAGES, [*plan.where, Condition("host", "=", host)], columns=["key"])
        yield host, sorted(row["key"] for row in found)
        where = [*plan.where, Condition("host", ">", host)]


def _learn(store: Store, plan: RereadPlan, host: str, keys: Sequence[str]) -> None:
    """Count a sample of a host's pages if few of them are known."""
    memories = plan.memories
    if memories is None or stored_memory(store, host).page_count >= min(_KNOWN_PAGES, len(keys)):
        return
    step = max(1, len(keys) // _LEARNED_PAGES)
    for row, page in _pages(store, plan, keys[::step][:_LEARNED_PAGES], _Failures()):
        if page is not None:
            _, rows = memories.mended(page, row["url"], row["url"], store)
            if not plan.dry:
                store.write(rows).result()


class _Failures:
    """Collects errors of steps; a page with an error keeps its stored rows."""

    def __init__(self) -> None:
        self.urls = set[str]()

    def __call__(self, step: str, url: str, error: Exception) -> None:
        self.urls.add(url)


def _pages(
    store: Store, plan: RereadPlan, keys: Sequence[str], failures: _Failures
) -> Iterator[tuple[MutableRow, Page | None]]:
    """The row of each page, with the page read from its source; None without a source."""
    names = ["key", *_STORED, *_read_names()]
    rows = {row["key"]: row for row in store.select(PAGES, [Condition("key", "in", list(keys))], columns=names)}
    sources = {row["key"]: row for row in store.select(SOURCES, [Condition("key", "in", list(keys))])}
    for key in keys:
        if key in rows:
            source = sources.get(key)
            yield rows[key], None if source is None else _page(rows[key], source, plan, failures)


@cache
def _read_names() -> tuple[str, ...]:
    return tuple(read_columns(Page(b"")))


def _page(row: Row, source: Row, plan: RereadPlan, failures: _Failures) -> Page:
    body, url = source_bytes(source), row["canonical"] or row["url"]
    fetched_at = datetime.fromisoformat(row["fetched_at"])
    made_at = datetime.fromisoformat(source["made_at"]) if source["made_at"] else fetched_at
    said = "text/plain" if row["kind"] == "document" else ""
    if (kind := document_type(body, said, url)) is None:
        rules, charset = plan.rules(host_of(url)), source["charset"] or ""
        return Page(
            body, url, charset=charset, fetched_at=fetched_at, made_at=made_at, on_failure=failures, rules=rules
        )
    try:
        content = read_document(body, kind, plan.limits)
    except DocumentError as error:
        failures("document", url, error)
        content = Content()
    return document_page(body, url, content, fetched_at=fetched_at, made_at=made_at, on_failure=failures)


def _read_batch(store: Store, plan: RereadPlan, keys: Sequence[str], outcome: RereadOutcome) -> None:
    """Read pages, and write the changes; they are durable on return."""
    failures, changed = _Failures(), list[str]()
    for row, page in _pages(store, plan, keys, failures):
        outcome.pages["read"] += 1
        if page is None:
            outcome.pages["without source"] += 1
            continue
        page = _mended(store, plan, page, row["url"])
        values, records = _changes(plan, page, row), _record_changes(store, plan, page, row)
        further = _further_pages(store, plan, row, failures)
        if further:
            values |= _joined(plan, [page, *further], row)
        if not failures.urls.isdisjoint((page.url, *(part.url for part in further))):
            outcome.pages["failed"] += 1
        elif not values and not any(records):
            continue
        elif not plan.dry and not _write(store, row, values, records):
            outcome.pages["fetched again"] += 1
        else:
            changed.append(row["key"])
            for name, value in values.items():
                outcome.add(name, row[name], value)
            outcome.records.update(dict(zip(("new", "changed", "removed"), map(len, records), strict=True)))
    outcome.pages["changed"] += len(changed)
    if changed and plan.queue and not plan.dry:
        store.write(waiting_rows(changed)).result()


def _further_pages(store: Store, plan: RereadPlan, row: Row, failures: _Failures) -> list[Page]:
    """The cleaned further pages of an article; none if a source is missing."""
    urls = list(row["parts"] or ())[1:]
    keys = [url_key(canonical_url(url) or url) for url in urls]
    sources = {each["key"]: each for each in store.select(SOURCES, [Condition("key", "in", keys)])} if keys else {}
    if any(key not in sources for key in keys):
        return []
    parts = [
        _page({**row, "canonical": url}, sources[key], plan, failures) for url, key in zip(urls, keys, strict=True)
    ]
    return [_mended(store, plan, part, row["url"]) for part in parts]


def _joined(plan: RereadPlan, pages: Sequence[Page], row: Row) -> MutableRow:
    """The changed columns of an article's whole text."""
    values = {"body": join_parts([page.article.text for page in pages])}
    if plan.markdown or row["body_markdown"]:
        values["body_markdown"] = join_parts([page.markdown for page in pages], "\n\n")
    return {name: value for name, value in values.items() if value != row[name]}


def _mended(store: Store, plan: RereadPlan, page: Page, url: str) -> Page:
    if plan.memories is None:
        return page
    page, rows = plan.memories.mended(page, url, url, store)
    if rows and not plan.dry:
        store.write(rows).result()
    return page


def _changes(plan: RereadPlan, page: Page, row: Row) -> MutableRow:
    """The changed columns."""
    values = read_columns(page, row["listed"], row["first_seen"] or row["fetched_at"])
    if row["parts"]:
        values = {name: value for name, value in values.items() if name not in _OF_WHOLE_TEXT}
    elif plan.markdown or row["body_markdown"]:
        values["body_markdown"] = page.markdown
    return {name: value for name, value in values.items() if value != row[name] and (value or row[name])}


Records = tuple[list[Row], list[Row], list[Row]]
"""New rows, changed rows, and rows no longer found."""


def _record_changes(store: Store, plan: RereadPlan, page: Page, row: Row) -> Records:
    """Records that earlier visits found are never removed, since the source is that of the last visit."""
    if not plan.records:
        return [], [], []
    known = {each["key"]: each for each in store.select(RECORDS, [Condition("page", "=", row["key"])])}
    found: dict[str, Row] = {
        each["key"]: each for each in record_rows(page.records, row["key"], row["fetched_at"], page.article.language)
    }
    new = [each for key, each in found.items() if key not in known]
    changed = [each for key, each in found.items() if key in known and _differs(known[key], each)]
    gone: list[Row] = [
        each
        for key, each in known.items()
        if key not in found and each["fetched_at"] == row["fetched_at"] and each["part"] == 1
    ]
    return new, changed, gone


def _differs(known: Row, found: Row) -> bool:
    kept = ("first_seen", "fetched_at", "part")
    return any(known[name] != value for name, value in found.items() if name not in kept and (value or known[name]))


def _write(store: Store, row: Row, values: MutableRow, records: Records) -> bool:
    """Write, unless the page was fetched again since it was read; returns whether it was written."""
    same = [Condition("key", "=", row["key"]), Condition("fetched_at", "=", row["fetched_at"])]
    if not store.count(PAGES, same):
        return False
    new, changed, gone = records
    waiting = [store.upsert(RECORDS, [*new, *changed])] if new or changed else []
    if values:
        waiting.append(store.change(PAGES, same, values))
    keys = [[Condition("page", "=", each["page"]), Condition("key", "=", each["key"])] for each in gone]
    waiting.extend(store.remove(RECORDS, key) for key in keys)
    for done in waiting:
        done.result()
    return True
