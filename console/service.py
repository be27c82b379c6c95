"""What `scrapy console` does: serve, and keep accounts."""

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
from console.frame.decisions import note_audit
from console.frame.desk import Desk, make_desk
from pipelines.stores.opening import open_store, store_address

_MAX_CONNECTIONS = 200
_KEEP_ALIVE_SECONDS = 15
_SYSTEM = "command line"


def run(settings: BaseSettings, args: Sequence[str], opts: Namespace) -> None:
    """Serve, or do what the arguments say to an account; ConsoleError, ValueError or StoreError if that cannot be done."""
    config = read_config(settings)
    with closing(open_store(store_address(settings))) as store:
        desk = make_desk(store, settings, config)
        if not args:
            _serve(desk)
        else:
            print(_ACTIONS[args[0]](desk, args[1], opts))


def _serve(desk: Desk) -> None:
    try:
        import uvicorn

        from console.app import make_app
        from console.frame.rendering import prepare
    except ImportError as error:
        raise ConsoleError(
            f"The console needs more packages ({error.name}): pip install 'topicrawl[console]'"
        ) from None
    config = desk.config
    if not desk.people.any() and not (config.is_loopback and not config.origin):
        raise ConsoleError(
            "Without an account the console serves this machine only. Make one: scrapy console adduser NAME --role admin; "
            "or leave CONSOLE_HOST and CONSOLE_URL as they are."
        )
    logging.basicConfig(level=logging.INFO, format="%(asctime)s [console] %(levelname)s %(message)s", force=True)
    app = make_app(desk)
    prepare()
    print(f"The console is at {config.address} (store: {desk.store.location}); Ctrl+C ends it", flush=True)
    gc.collect()
    gc.freeze()  # else a full collection in the midst of an answer looks at everything that was imported
    uvicorn.run(
        app,
        host=config.host,
        port=config.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=5,
    )


def _add_user(desk: Desk, name: str, opts: Namespace) -> str:
    role = Role.named(opts.role)
    desk.people.add(name, role, _new_password())
    _note(desk, "user_added", name)
    return f"{name} ({role}) may log in at {desk.config.address}"


def _set_password(desk: Desk, name: str, opts: Namespace) -> str:
    desk.people.set_password(name, _new_password())
    ended = desk.sessions.end_all(name)
    _note(desk, "password_set", name)
    return f"{name} has a new password; {ended} sessions and tokens ended"


def _set_role(desk: Desk, name: str, opts: Namespace) -> str:
    role = Role.named(opts.role)
    desk.people.set_role(name, role)
    _note(desk, "role_set", name)
    return f"{name} is {role}"


def _disable(desk: Desk, name: str, opts: Namespace) -> str:
    desk.people.set_active(name, False)
    desk.sessions.end_all(name)
    _note(desk, "user_disabled", name)
    return f"{name} can no longer log in"


def _add_token(desk: Desk, name: str, opts: Namespace) -> str:
    if desk.people.get(name) is None:
        raise ValueError(f"There is no user {name!r}.")
    scopes = [scope for scope in SCOPES if scope in opts.scopes.split(",")]
    _note(desk, "token_added", name)
    return desk.sessions.add_token(name, _SYSTEM, scopes or SCOPES[:1])


_ACTIONS = {"adduser": _add_user, "passwd": _set_password, "role": _set_role, "disable": _disable, "token": _add_token}


def _note(desk: Desk, action: str, subject: str) -> None:
    note_audit(desk.store, desk.now(), f"{_SYSTEM}: {getpass.getuser()}", action, subject)


def _new_password() -> str:
    """From the terminal, twice; from a pipe, its first line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password, 12 characters or more: ")
    if password != getpass.getpass("Again: "):
        raise ValueError("The two passwords differ; nothing was changed.")
    return password
