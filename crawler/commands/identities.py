"""`scrapy identities`: the identities of sites, their log-ins, and cookies from a browser."""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from crawler.command_line import FetchingCommand, say
from crawler.config import shown
from crawler.config.sites import Sites, read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.download.one_shot import run_task
from crawler.identities.base import IdentityError, IdentityStore, Key, PlainCookie, Session
from crawler.identities.cookies import cookies_for, merge_cookies, read_cookies
from crawler.identities.opening import check_identities, open_identities
from crawler.identities.secrets import Secrets, SecretsError, variable
from crawler.links.scope import registered_domain
from crawler.login.identity_sessions import LoginBackoffError, SessionManager
from crawler.login.login_flow import LoginError
from crawler.printed_tables import print_table
from crawler.services import services_of
from extractors.links.urls import host_of

_ACTIONS = ("list", "login", "check", "import")


class Command(FetchingCommand):
    """Shows and changes identities, even while crawls run."""

    examples = (
        "scrapy identities list                              all identities, with the times of their log-ins",
        "scrapy identities login library.example             log in all that are logged out (secrets: see docs/blocking.md)",
        "scrapy identities login library.example reader      one of them",
        "scrapy identities check                             check whether stored sessions are still valid",
        "scrapy identities import library.example reader cookies.txt     a browser's export, Netscape format or JSON",
        "SCRAPY_PROJECT=cluster scrapy identities list       the identities that nodes share",
    )
    usage = f"{'|'.join(_ACTIONS)} [SITE [NAME [FILE]]] [options]"
    summary = "List identities, log them in, check their sessions, import cookies of a browser"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="list as JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for wrong arguments; the exit code is 1 if an identity is not logged in."""
        max_words = {"import": 4, "list": 1}
        if (
            not args
            or args[0] not in _ACTIONS
            or len(args) > max_words.get(args[0], 3)
            or any(word.startswith("-") for word in args)
        ):
            raise UsageError(f"Use one of {', '.join(_ACTIONS)}; --help shows how.", print_help=False)
        try:
            check_identities(self.values)
            self._act(args, opts, self.values)
        except (IdentityError, SecretsError, DeclarationError) as error:
            raise UsageError(str(error), print_help=False) from None

    def _act(self, args: list[str], opts: argparse.Namespace, settings: BaseSettings) -> None:
        sites = read_sites(settings)
        if args[0] == "list":
            _list(sites, settings, as_json=opts.json)
        elif args[0] == "import":
            if len(args) != 4:
                raise UsageError("Use: scrapy identities import SITE NAME FILE", print_help=False)
            _import(sites, settings, _chosen(sites, args[1:3])[0], Path(args[3]))
        else:
            self._try(
                [key for key in _chosen(sites, args[1:]) if sites.of(key.site).login], check_only=args[0] == "check"
            )

    def _try(self, keys: list[Key], *, check_only: bool) -> None:
        if not keys:
            raise IdentityError("No site's file has a `login`: docs/blocking.md shows an example.")
        tried = check_sessions(self.process, keys, lambda crawler: services_of(crawler).sessions, check_only=check_only)
        for result in tried:
            say(f"{result.key.site}  {result.key.identity}  {result.message}")
        self.exitcode = int(len(tried) < len(keys) or not all(result.logged_in for result in tried))


def _chosen(sites: Sites, words: list[str]) -> list[Key]:
    """The identities that the arguments select: all, those of one site, or one. Raises IdentityError if there are none."""
    keys = list(_configured(sites))
    for place, word in enumerate(words[:2]):
        there = sorted({key[place] for key in keys})
        keys = [key for key in keys if key[place] == word]
        if not keys:
            if not there:
                raise IdentityError("No site has identities: none is declared in settings/sites.")
            if place == 0:
                raise IdentityError(f"There is no site with identities {word!r}. There are: {', '.join(there)}.")
            raise IdentityError(f"There is no identity {word!r}. There are: {', '.join(there)}.")
    return keys


def _configured(sites: Sites) -> Iterator[Key]:
    for host, site in sorted(sites.named.items()):
        yield from (Key(host, name) for name in site.identities)


def _import(sites: Sites, settings: BaseSettings, key: Key, path: Path) -> None:
    login = sites.of(key.site).login
    hosts = {key.site, *([host_of(login.page), host_of(login.check), *login.hosts] if login else [])} - {""}
    given = read_cookies(path)
    taken = cookies_for(given, {registered_domain(host) for host in hosts})
    if not taken:
        raise IdentityError(f"None of the {len(given)} cookies is for {', '.join(sorted(hosts))} and not expired.")
    with closing(open_identities(settings)) as store:
        kept_at = key if login else Key("", key.identity)
        store.put(kept_at, tuple(merge_cookies([], taken, store.session(kept_at).cookies)))
    left = f"; {len(given) - len(taken)} for other sites or expired were left out" if len(taken) < len(given) else ""
    say(f"{len(taken)} cookies for {key.identity} at {key.site}{left}")


def _list(sites: Sites, settings: BaseSettings, *, as_json: bool) -> None:
    with closing(open_identities(settings)) as store:
        rows = list(_rows(sites, store, Secrets(settings)))
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    if not rows:
        say("No site has identities: docs/blocking.md shows how to name some.")
        return
    print_table(list(rows[0]), [[shown(str(value)) for value in row.values()] for row in rows])


def _rows(sites: Sites, store: IdentityStore, secrets: Secrets) -> Iterator[dict[str, object]]:
    for key in _configured(sites):
        has_login = sites.of(key.site).login is not None
        session = store.session(key if has_login else Key("", key.identity))
        yield {
            "site": key.site,
            "identity": key.identity,
            "state": _state(session, has_login),
            "since": f"{datetime.fromtimestamp(session.since).astimezone():%Y-%m-%d %H:%M}" if session.since else "-",
            "sessions": session.generation,
            "cookies": len(session.cookies),
            "expires": _expires(session.cookies),
            "secrets": ("yes" if secrets.of(key.identity) else f"no LOGIN_…_{variable(key.identity)}")
            if has_login
            else "-",
        }


def _state(session: Session, has_login: bool) -> str:
    if session.failures:
        left = session.rests_until - time.time()
        return f"log-in failed ({session.said})" + (f", again in {left:.0f} s" if left > 0 else "")
    if not has_login:
        return "no log-in"
    return "has a session" if session.generation else "not logged in yet"


def _expires(cookies: Iterable[PlainCookie]) -> str:
    """The earliest expiry of the cookies that expire."""
    moments = [cookie["expires"] for cookie in cookies if cookie["expires"]]
    return f"{datetime.fromtimestamp(min(moments)).astimezone():%Y-%m-%d %H:%M}" if moments else "-"


@dataclass(frozen=True, slots=True)
class SessionCheck:
    """Whether an identity is logged in, with a message."""

    key: Key
    logged_in: bool
    message: str


def check_sessions(
    process: CrawlerProcessBase,
    keys: list[Key],
    sessions_of: Callable[[Crawler], SessionManager],
    *,
    check_only: bool = False,
) -> list[SessionCheck]:
    """Log in identities, or only check their sessions, one at a time.

    Runs the reactor, which a process can do only once.
    """
    found: list[SessionCheck] = []

    async def check_all(crawler: Crawler) -> None:
        sessions = sessions_of(crawler)
        found.extend([await _check(sessions, key, check_only=check_only) for key in keys])

    run_task(process, check_all)
    return found


async def _check(sessions: SessionManager, key: Key, *, check_only: bool) -> SessionCheck:
    login = sessions.sites.of(key.site).login
    if login is None:
        return SessionCheck(key, False, "its site's file has no `login`")
    try:
        if check_only:
            is_valid = await sessions.check(key, login, key.site)
            return SessionCheck(key, is_valid, "logged in" if is_valid else "not logged in")
        before = await sessions.reload(key)
        session = await sessions.renew(key, login, before.generation, key.site, now=True)
    except (LoginBackoffError, LoginError) as error:
        return SessionCheck(key, False, str(error))
    return SessionCheck(key, True, "is logged in already" if session.generation == before.generation else "logged in")
