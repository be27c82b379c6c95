"""`scrapy why`: everything known about an address."""

import argparse
import json
from collections.abc import Iterator
from typing import Any

from scrapy.exceptions import UsageError

from crawler.checks.address import Facts, facts_of, is_known
from crawler.command_line import QuietCommand, say, write_out
from crawler.config import shown
from crawler.config.yaml_file import DeclarationError
from crawler.frontier.base import FrontierError
from pipelines.stores.base import StoreError
from pipelines.stores.opening import store_address

_STATES = {
    "fetched": "fetched",
    "unchanged": "fetched again without changes",
    "part": "fetched as a further page of another address",
    "other": "fetched; not a page with content",
    "irrelevant": "fetched and dropped: not about the topic",
    "redirected": "leads to another address",
    "failed": "given up",
    "refused": "never requested",
    "dead": "gone; never requested again",
}
_REQUESTS = {
    "queued": "waits in the queue",
    "delayed": "failed, and waits for its next attempt",
    "leased": "is under way",
    "dead": "was given up after its last attempt; `scrapy frontier requeue` queues it again",
    "seen": "was accepted, and is done",
}

_EVIDENCE = {
    "list": "a feed, sitemap or API",
    "declared": "the page declares it",
    "address": "its address",
    "head": "shown near its title",
    "seen": "a watched list first showed it then",
    "text": "only its text, which is unreliable",
}


class Command(QuietCommand):
    """Reads frontiers and store, even while crawls run; changes nothing."""

    takes_arguments = True
    examples = (
        "scrapy why https://some.site/news/1.html           why this page is stored, waiting, missing or dropped",
        "scrapy why https://some.site/news/1.html --json    the same for programs",
        "SCRAPY_PROJECT=cluster scrapy why https://some.site/    in the frontier and the store of the nodes",
    )
    usage = "URL  [options]"
    summary = "Show everything known about an address: queue, attempts, refusals, relevance, corrections, reposts"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from redis.exceptions import RedisError

        if len(args) != 1:
            raise UsageError(f"scrapy why {self.syntax()}")
        with self.reporting(ValueError, StoreError, FrontierError, DeclarationError, RedisError):
            facts = facts_of(self.values, args[0])
            if opts.json:
                write_out(json.dumps(facts, ensure_ascii=False, indent=1))
            elif is_known(facts):
                say("\n".join(_lines(facts)))
            if not is_known(facts):
                self.fail(_unknown(facts, store_address(self.values)))


def _unknown(facts: Facts, store: str) -> str:
    place = store.rpartition("@")[2] if "@" in store else store
    sentence = f"Nothing is known about {facts['url']}: it is in no frontier and in no table of {place}."
    if hint := facts.get("hint"):
        sentence += f"\n{hint}"
    if near := facts.get("nearest"):
        sentence += "\nThe nearest known addresses of its host:\n" + "\n".join(f"  {url}" for url in near)
    return sentence


def _lines(facts: Facts) -> Iterator[str]:
    """The facts for people, one subject per line."""
    yield facts["url"]
    for request in facts.get("frontier", ()):
        yield f"frontier: {_request(request)}"
    if urls := facts.get("urls"):
        yield from _url(urls)
    if "part_of" in facts:
        yield f"part of: {facts['part_of']}"
    if "decision" in facts:
        yield f"decision: {_decision(facts['decision'])}"
    if page := facts.get("page"):
        yield f"stored as: {page['kind']} {page.get('title', '')!r}"
        yield f"  {_list(page, 'url', 'method', 'confidence')}"
        yield f"published: {_published(page)}"
    for version in facts.get("versions", ()):
        yield from _version(version)
    if "records" in facts:
        yield f"records: {facts['records']:,}"
    if title := facts.get("title"):
        yield f"title: {_title(title)}"
    for result in facts.get("results", ()):
        yield f"search result: {_list(result, *result)}"
    yield from _host(facts["host"])


def _request(request: dict[str, Any]) -> str:
    parts = [f"{request['crawl']}: {_REQUESTS[request['state']]}"]
    if "before" in request:
        parts.append(f"{request['before']:,} requests of its host come first")
    return "; ".join(
        [
            *parts,
            *filter(None, [_list(request, "priority", "attempts", "reason", "owner", "since", "due")]),
            *_found(request),
        ]
    )


def _found(row: dict[str, Any]) -> list[str]:
    found = _list(row, "found_by", "referrer", "depth")
    return [found] if found else []


def _url(urls: dict[str, Any]) -> Iterator[str]:
    state = urls["state"]
    reason = (
        f": {urls['reason']}" if urls.get("reason") and state in ("failed", "refused", "other", "redirected") else ""
    )
    yield f"state: {shown(_STATES.get(state, state))}{reason}; {_list(urls, 'status', 'failures', 'first_seen', 'fetched_at')}"
    if found := _found(urls):
        yield f"found: {found[0]}"


def _decision(decision: dict[str, Any]) -> str:
    verdict = "kept" if decision["kept"] else "dropped"
    if "topic" not in decision:
        return f"{verdict}: {decision['rule']}"
    threshold = shown("unknown") if decision["threshold"] is None else f"{decision['threshold']:g}"
    relevance = shown("unknown") if decision["relevance"] is None else f"{decision['relevance']:g}"
    reason = f" ({decision['reason']})" if "reason" in decision else ""
    return f"{verdict}: relevance {relevance}, threshold {threshold} of the topic {decision['topic']}{reason}"


def _published(page: dict[str, Any]) -> str:
    """The time with its precision and evidence, and what lists showed."""
    if "published" not in page:
        return f"{shown('unknown')}; {_list(page, 'first_seen')}"
    listed = {f"list {name}": value for name, value in (page.get("listed") or {}).items()}
    evidence = _EVIDENCE.get(page.get("published_by", ""), page.get("published_by", "unknown"))
    known = [page["published"], f"precision {page.get('published_precision', 'unknown')}", f"evidence: {evidence}"]
    return "; ".join([*known, *filter(None, [_list(listed, *listed)])])


def _version(version: dict[str, Any]) -> Iterator[str]:
    yield f"corrected: noticed {version['noticed_at']}; before, as fetched {version['fetched_at']}"
    for name, before, after in (("title", "title before", "title after"), ("text", "text before", "text after")):
        if name in version:
            yield f"  {shown(before)}: {version[name]['before']!r}"
            yield f"  {shown(after)}: {version[name]['after']!r}"


def _title(title: dict[str, Any]) -> str:
    parts = [
        shown(title["verdict"]),
        _list(title, "cosine", "rule", "by_title", "by_body", "body_likeness", "delay_hours", "reposts"),
    ]
    for name, word in (("original", "original"), ("matched", "compared with")):
        if name in title:
            parts.append(f"{word}: {title[name]['title']!r} {title[name]['url']}")
    return "; ".join(filter(None, parts))


def _host(host: dict[str, Any]) -> Iterator[str]:
    yield f"robots.txt: {shown('obeyed' if host['robots'] == 'obey' else 'ignored by the settings of the site')}"
    if "rules" in host:
        yield f"read by the rules of: {host['rules']}"
    if "opens" in host:
        yield f"hours: closed until {host['opens']}"
    for ban in host.get("bans", ()):
        yield f"ban: {_list(ban, 'until', 'identity', 'proxy')}"


def _list(row: dict[str, Any], *names: str) -> str:
    """Names and values of the given columns that the row has."""
    return ", ".join(
        f"{name.replace('_', ' ')} {_shown(row[name])}" for name in names if row.get(name) not in (None, "")
    )


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
