"""Crawls of sites that refuse requests, need a log-in or change: answers, bans, identities, proxies, lists."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from scrapy.settings import BaseSettings

from crawler.bans.health import Health, SiteHealth, read_health
from crawler.checks import Finding
from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.identities.base import IdentitiesUnavailableError, IdentityError, Key, Session
from crawler.identities.opening import open_identities
from crawler.identities.secrets import Secrets, SecretsError, variable
from pipelines.stores.base import Condition, Row, StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.watch_tables import LIST_STATES

_MAX_BANS, _MAX_LISTS = 10, 50
_LIST_COLUMNS = ("key", "url", "source", "state", "reason", "changed_at")


def health(settings: BaseSettings) -> list[Finding]:
    """Health of the last week's crawls with data on this machine; nothing if no site refused them."""
    return [finding for crawl in read_health(Path(settings["DATA_DIR"])) for finding in _crawl(crawl)]


def lists(settings: BaseSettings) -> list[Finding]:
    """Lists that have changed their shape, or could never be read."""
    try:
        with closing(open_store(store_address(settings), must_exist=True)) as store:
            where = [Condition("state", "in", ["layout_changed", "unreadable"])]
            rows = list(store.select(LIST_STATES, where, limit=_MAX_LISTS, columns=_LIST_COLUMNS))
    except StoreError:
        return []  # the check of the database says why
    return [_list(row) for row in rows]


def _list(row: Row) -> Finding:
    since = f"has changed its shape since {row['changed_at']}" if row["state"] == "layout_changed" else "cannot be read"
    advice = f"See what is understood with `scrapy source try {row['source'] or row['url']}`, and correct its recipe."
    return Finding("warning", row["source"] or row["url"], f"{row['url']} {since}: {row['reason']}", advice)


def identities(settings: BaseSettings) -> list[Finding]:
    """Which identities have a session, could not log in, or have no secrets."""
    try:
        sites = read_sites(settings)
        if not any(site.identities for site in sites.all()):
            return []
        secrets, store = Secrets(settings), open_identities(settings)
    except DeclarationError:
        return []  # the check of the sites says why
    except (SecretsError, IdentityError) as error:
        return [Finding("fault", "Identities", str(error), "docs/blocking.md shows how identities log in.")]
    try:
        return list(_identities(sites, secrets, {key: store.session(key) for key in _keys(sites)}))
    except IdentityError as error:
        return [Finding("fault", "Identities", str(error), "Start Redis, or set REDIS_URL.")]
    finally:
        store.close()


def bans(settings: BaseSettings) -> list[Finding]:
    """Which visitors are banned from which host now, on all nodes."""
    if settings["FRONTIER"] != "shared":
        return []
    from crawler.bans.shared import open_bans

    try:
        found = open_bans(settings).exchange()
    except IdentitiesUnavailableError:
        return []  # the check of Redis says why
    longest = sorted(found.items(), key=lambda ban: -ban[1])[:_MAX_BANS]
    return [Finding("warning", "Ban", _banned(*visitor, left), "It ends by itself.") for visitor, left in longest]


def _crawl(crawl: Health) -> Iterator[Finding]:
    ago = f"{(time.time() - crawl.at) / 60:.0f} minutes ago" if time.time() - crawl.at > 90 else "just now"
    for name, site in sorted(crawl.sites.items()):
        if site == SiteHealth():
            continue
        message = (
            f"{site.answers:,} answers, {site.bans} bans, {site.challenges} challenge pages, {site.logins} log-ins, "
            f"{site.failed_logins} failed ({crawl.crawl}, {ago})"
        )
        bad = site.failed_logins > site.logins or site.bans * 10 > site.answers
        advice = "Send requests more slowly (delay), use more addresses (proxies), or repair its log-in." if bad else ""
        yield Finding("warning" if bad else "ok", name, message, advice)
    for name, pool in crawl.proxies.items():
        advice = "" if pool.alive else "Test them: scrapy proxies test --judge URL"
        message = f"{pool.alive} of {pool.all} work ({crawl.crawl}, {ago})"
        yield Finding("warning" if advice else "ok", f"Proxies {name}", message, advice)
    passed = max(0.0, time.time() - crawl.at)  # the clock may have been set back
    for host, who, proxy, left in [ban for ban in crawl.banned if ban[3] > passed][:_MAX_BANS]:
        yield Finding("warning", "Ban", _banned(host, who, proxy, left - passed), "It ends by itself.")


def _banned(host: str, who: str, proxy: str, left: float) -> str:
    names = " as ".join(filter(None, (proxy or "without a proxy", who)))
    return f"{host} refuses us ({names}) for another {left:.0f} s"


def _keys(sites: Sites) -> Iterator[Key]:
    for host, site in sorted(sites.named.items()):
        yield from (Key(host, name) for name in site.identities if site.login)


def _identities(sites: Sites, secrets: Secrets, sessions: dict[Key, Session]) -> Iterator[Finding]:
    for key, session in sessions.items():
        subject = f"{key.site} as {key.identity}"
        if session.failures:
            advice = f"Solve this, then: scrapy identities login {key.site} {key.identity}"
            yield Finding("warning", subject, f"could not be logged in: {session.said}", advice)
        elif secrets.of(key.identity) is None and not session.generation:
            name = variable(key.identity)
            advice = f"Set LOGIN_USERNAME_{name} and LOGIN_PASSWORD_{name}, or import cookies."
            yield Finding("warning", subject, "has neither a session nor secrets to log in with", advice)
        else:
            yield Finding("ok", subject, f"session {session.generation}" if session.generation else "not logged in yet")
