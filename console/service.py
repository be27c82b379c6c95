"""Implements `scrapy console`: serve, and manage accounts."""

import gc
import getpass
import logging
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing

from scrapy.settings import BaseSettings

from console.access.people import Role
from console.access.sessions import SCOPES
from console.config import ConsoleError, read_config
from console.frame.app_context import AppContext, make_app_context
from console.frame.decisions import note_audit
from crawler.command_line import say
from crawler.config import shown
from pipelines.stores.opening import open_store, store_address

_SYSTEM = "command line"


def run(settings: BaseSettings, args: Sequence[str], opts: Namespace) -> None:
    """Serve, or do what the arguments say to an account; ConsoleError, ValueError or StoreError if that cannot be done."""
    config = read_config(settings)
    with closing(open_store(store_address(settings))) as store:
        app_context = make_app_context(store, settings, config)
        if not args:
            _serve(app_context)
        else:
            say(_ACTIONS[args[0]](app_context, args[1], opts))


def _serve(app_context: AppContext) -> None:
    try:
        import uvicorn

        from console.app import make_app
        from console.frame.connections import server_config
        from console.frame.html_rendering import prepare
        from console.plan_keeper import keeping_plan
    except ImportError as error:
        raise ConsoleError(
            f"The console needs more packages ({error.name}): pip install 'topicrawl[console]'"
        ) from None
    config = app_context.config
    if not app_context.people.any() and not (config.is_loopback and not config.origin):
        raise ConsoleError(
            "Without an account the console serves this machine only. Make one: scrapy console adduser NAME --role admin; "
            "or leave CONSOLE_HOST and CONSOLE_URL as they are."
        )
    logging.basicConfig(level=logging.INFO, format="%(asctime)s [console] %(levelname)s %(message)s", force=True)
    app = make_app(app_context)
    prepare()
    say(f"The console is at {config.address} (store: {app_context.store.location}); Ctrl+C ends it")
    gc.collect()
    gc.freeze()  # else a full collection during a response scans everything imported
    with keeping_plan(app_context.settings):
        uvicorn.Server(server_config(app, config.host, config.port)).run()


def _add_user(app_context: AppContext, name: str, opts: Namespace) -> str:
    role = Role.named(opts.role)
    app_context.people.add(name, role, _new_password())
    _note(app_context, "user_added", name)
    return f"{name} ({role}) may log in at {app_context.config.address}"


def _set_password(app_context: AppContext, name: str, opts: Namespace) -> str:
    app_context.people.set_password(name, _new_password())
    ended = app_context.sessions.end_all(name)
    _note(app_context, "password_set", name)
    return f"{name} has a new password; {ended} sessions and tokens ended"


def _set_role(app_context: AppContext, name: str, opts: Namespace) -> str:
    role = Role.named(opts.role)
    app_context.people.set_role(name, role)
    _note(app_context, "role_set", name)
    return f"{name} has the role {role} now"


def _disable(app_context: AppContext, name: str, opts: Namespace) -> str:
    app_context.people.set_active(name, False)
    app_context.sessions.end_all(name)
    _note(app_context, "user_disabled", name)
    return f"{name} can no longer log in"


def _add_token(app_context: AppContext, name: str, opts: Namespace) -> str:
    if app_context.people.get(name) is None:
        raise ValueError(f"There is no user {name!r}.")
    scopes = [scope for scope in SCOPES if scope in opts.scopes.split(",")]
    _note(app_context, "token_added", name)
    return app_context.sessions.add_token(name, _SYSTEM, scopes or SCOPES[:1])


_ACTIONS = {"adduser": _add_user, "passwd": _set_password, "role": _set_role, "disable": _disable, "token": _add_token}


def _note(app_context: AppContext, action: str, subject: str) -> None:
    note_audit(app_context.store, app_context.now(), f"{_SYSTEM}: {getpass.getuser()}", action, subject)


def _new_password() -> str:
    """From the terminal, twice; from a pipe, its first line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass(shown("Password, 12 characters or more:") + " ")
    if password != getpass.getpass(shown("Again:") + " "):
        raise ValueError("The two passwords differ; nothing was changed.")
    return password
