"""Everything that frontiers, store, settings and bans know about one address."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.settings import BaseSettings

from crawler.bans.health import standing_bans
from crawler.checks.corrections import common_beginning, corrections
from crawler.config.sites import read_sites
from crawler.config.topics import read_topic, topic_path
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.documents import wanted_types
from crawler.frontier.base import FrontierError, KnownRequest
from crawler.frontier.opening import known_crawls, open_for_operator
from crawler.frontier.requests import request_key, unpack
from crawler.identities.base import IdentitiesUnavailableError
from crawler.links.files import skipped_extensions
from crawler.links.traps import is_growing
from extractors.links.urls import canonical_url, host_of, url_key
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS, RESULTS, RUNS, URLS

_MAX_NEIGHBOURS = 20_000
_MAX_NEAREST = 5
_PAGE_COLUMNS = (
    "url",
    "kind",
    "title",
    "topic",
    "relevance",
    "relevance_reason",
    "method",
    "confidence",
    "fetched_at",
    "published",
    "published_precision",
    "published_by",
    "listed",
    "first_seen",
)
_RESULT_COLUMNS = ("engine", "words", "rank", "score", "state", "found_at")
_URL_COLUMNS = (
    *("state", "status", "reason", "found_by", "referrer", "depth", "failures", "relevance"),
    *("activity", "first_seen", "fetched_at"),
)
Facts = dict[str, Any]


def facts_of(settings: BaseSettings, address: str, store: Store | None = None) -> Facts:
    """Facts about the address, by subject; subjects without facts are omitted. Opens the store of the settings unless
    `store` is given.

    Subjects: url, key, frontier, urls, page, versions, part_of, title, results, records, decision, host, and if nothing else
    is known, nearest and hint. Raises ValueError if it is not a web address; StoreError, FrontierError or DeclarationError
    if a source cannot be read.
    """
    url = canonical_url(address)
    if not url.startswith(("http://", "https://")) or not host_of(url):
        raise ValueError(f"{address!r} is not a web address; write it like https://some.site/page.html")
    facts: Facts = {"url": url, "key": url_key(url)}
    facts |= _filled({"frontier": list(_requests(settings, {url, address}))})
    with nullcontext(store) if store is not None else _opened(settings) as at_hand:
        if at_hand is not None:
            facts |= _stored(at_hand, settings, facts["key"])
            if len(facts) == 2:
                near = _nearest(at_hand, url)
                facts |= _filled({"nearest": near, "hint": _hint(settings, url, near)})
    return facts | {"host": _host(settings, host_of(url))}


def is_known(facts: Facts) -> bool:
    return bool(facts.keys() - {"url", "key", "host", "nearest", "hint"})


def _filled(facts: Facts) -> Facts:
    return {name: value for name, value in facts.items() if value}


@contextmanager
def _opened(settings: BaseSettings) -> Iterator[Store | None]:
    """The open store; None if no crawl has stored anything yet."""
    address = store_address(settings)
    path = address.removeprefix("sqlite:").removeprefix("//").removeprefix("/")
    if address.startswith("sqlite") and not Path(path).exists():
        yield None
        return
    with closing(open_store(store_address(settings), must_exist=True)) as store:
        yield store


def _requests(settings: BaseSettings, addresses: set[str]) -> Iterator[Facts]:
    """The state of the address in the frontier of each crawl."""
    requests = [Request(address) for address in sorted(addresses) if address.startswith(("http://", "https://"))]
    for crawl in known_crawls(settings):
        with closing(open_for_operator(settings, crawl, to_change=False)) as frontier:
            hosts = ((request, host_of(request.url)) for request in requests)
            found = ((frontier.find(request_key(request), host), host) for request, host in hosts)
            known, host = next((each for each in found if each[0]), (None, ""))
        if known is not None:
            yield {"crawl": crawl} | _request(known, host)


def _request(known: KnownRequest, host: str) -> Facts:
    meta: Facts = {}
    if known.payload:
        try:
            meta = unpack(known.payload, host).get("meta", {})
        except ValueError as error:
            raise FrontierError(f"a stored request cannot be read: {error}") from error
    found = {name: meta[name] for name in ("found_by", "referrer", "depth") if meta.get(name) not in (None, "")}
    times = {name: _iso(value) for name, value in (("since", known.since), ("due", known.due)) if value}
    facts: Facts = {"state": known.state, "priority": known.priority, "attempts": known.attempts}
    if known.state == "queued":
        facts["before"] = known.before
    return facts | _filled({"reason": known.reason, "owner": known.owner}) | times | found


def _stored(store: Store, settings: BaseSettings, key: str) -> Facts:
    known, page = store.get(URLS, key), store.get(PAGES, key)
    if page is None and known is not None and known["state"] in ("fetched", "unchanged"):
        page = next(store.select(PAGES, [Condition("canonical", "=", known["url"])], limit=1), None)
    facts = _filled({"urls": _columns(known, _URL_COLUMNS), "page": _columns(page, _PAGE_COLUMNS)})
    if known is not None and known["state"] == "part":
        facts["part_of"] = known["reason"]
    if decision := _decision(store, settings, known, page):
        facts["decision"] = decision
    if title := store.get(PROPAGATION, page["key"] if page else key):
        facts["title"] = _title(store, title)
    results = store.select(RESULTS, [Condition("key", "=", key)], limit=20)
    records = store.count(RECORDS, [Condition("page", "=", key)])
    versions = corrections(store, page) if page is not None else []
    return facts | _filled(
        {"results": [_columns(row, _RESULT_COLUMNS) for row in results], "records": records, "versions": versions}
    )


def _columns(row: MutableRow | None, names: tuple[str, ...]) -> Facts:
    return {name: row[name] for name in names if row[name] not in (None, "")} if row else {}


def _title(store: Store, row: MutableRow) -> Facts:
    """The decision on the title, with the addresses of the story's original and of the title that it was compared with."""
    facts = _columns(
        row, ("verdict", "rule", "cosine", "by_title", "by_body", "body_likeness", "delay_hours", "reposts")
    )
    for name in ("original", "matched"):
        if row[name] and row[name] != row["page"] and (other := store.get(PROPAGATION, row[name])):
            facts[name] = {"url": other["url"], "title": other["title"]}
    return facts


def _decision(store: Store, settings: BaseSettings, known: MutableRow | None, page: MutableRow | None) -> Facts:
    """Whether the page was kept, and by which rule: its topic's threshold, or none."""
    if known is None or known["state"] not in ("fetched", "unchanged", "irrelevant", "part"):
        return {}
    kept = known["state"] != "irrelevant"
    name, threshold = _topic(store, settings, known["fetched_at"], (page or {}).get("topic") or "")
    facts: Facts = {"kept": kept, "rule": "relevance" if name else "every page of the crawl is kept"}
    if name:
        row = page or known
        reason = row["relevance_reason"] if page else known["reason"]
        facts |= {"topic": name, "relevance": row["relevance"], "threshold": threshold}
        facts |= _filled({"reason": reason if known["state"] != "part" else ""})
    return facts


def _topic(store: Store, settings: BaseSettings, fetched_at: str, name: str) -> tuple[str, float | None]:
    """The name and threshold of the page's topic, else of the topic of the last run that began earlier; "" without one.

    The threshold is None if the topic's file is gone.
    """
    before = [Condition("started", "<=", fetched_at)]
    runs = store.select(RUNS, before, [Order("started", descending=True)], limit=1)
    argument = str(next(((row["arguments"] or {}).get("topic") or "" for row in runs), ""))
    for given in filter(None, (argument, name)):
        try:
            topic = read_topic(topic_path(settings_folder(settings), given))
        except DeclarationError:
            continue
        if not name or topic.name == name:
            return topic.name, topic.threshold
    return name or argument, None


def _host(settings: BaseSettings, host: str) -> Facts:
    """Facts that apply to every address of the host: robots.txt, opening hours, bans."""
    sites, now = read_sites(settings), time.time()
    site, rules = sites.of(host), sites.rules(host)
    facts: Facts = {"host": host, "robots": site.robots.policy}
    if rules is not None:
        facts["rules"] = f"sites/{rules.name}.yaml: {rules}"
    if site.opening_hours is not None and (opens := site.opening_hours.opens(now)) > now:
        facts["opens"] = _iso(opens)
    return facts | _filled({"bans": list(_bans(settings, host))})


def _bans(settings: BaseSettings, host: str) -> Iterator[Facts]:
    try:
        for banned, identity, proxy, until in standing_bans(settings):
            if banned == host:
                yield {"until": _iso(until)} | _filled({"identity": identity, "proxy": proxy})
    except IdentitiesUnavailableError as error:
        raise FrontierError(str(error)) from error


def _nearest(store: Store, url: str) -> list[str]:
    """Addresses of the same host with the longest common beginning, the most similar length first."""
    rows = store.select(URLS, [Condition("host", "=", host_of(url))], limit=_MAX_NEIGHBOURS, columns=("url",))
    known = {str(row["url"]) for row in rows}
    return sorted(known, key=lambda other: (-common_beginning(url, other), abs(len(other) - len(url)), other))[
        :_MAX_NEAREST
    ]


def _hint(settings: BaseSettings, url: str, near: list[str]) -> str:
    """The rule that keeps a crawl from such an address, if one does."""
    path = urlsplit(url).path.lower()
    if path.endswith(skipped_extensions(wanted_types(settings))):
        return f"Links to files other than pages are not followed, such as .{path.rpartition('.')[2]}."
    if is_growing(url):
        return "Its path repeats itself or is too long: such links are treated as traps and not followed."
    if not near:
        return f"No page of {host_of(url)} is known: links out of the crawl's domains are followed with -a allow=DOMAIN only."
    return ""


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
