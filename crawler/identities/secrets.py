"""User names and passwords of identities, from the environment or from a file readable only by its owner."""

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from scrapy.settings import BaseSettings


class SecretsError(ValueError):
    """Unusable secrets; the message shows none of them."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """The user name and password of an identity; `repr` shows neither."""

    username: str = field(repr=False)
    password: str = field(repr=False)


class Secrets:
    """Credentials by identity.

    The environment's LOGIN_USERNAME_NAME and LOGIN_PASSWORD_NAME (the identity's name in capitals, other characters as
    `_`) take precedence over the file that the setting LOGIN_SECRETS names.
    """

    def __init__(self, settings: BaseSettings) -> None:
        path = settings.get("LOGIN_SECRETS")
        self._of_file = _read(Path(path)) if path else {}

    def of(self, identity: str) -> Credentials | None:
        name = variable(identity)
        username, password = (os.environ.get(f"LOGIN_{kind}_{name}", "") for kind in ("USERNAME", "PASSWORD"))
        return Credentials(username, password) if username and password else self._of_file.get(identity)


def variable(identity: str) -> str:
    return re.sub(r"[^0-9A-Z]", "_", identity.upper())


def _read(path: Path) -> dict[str, Credentials]:
    try:
        state = path.stat()
        if stat.S_IMODE(state.st_mode) & 0o077:
            raise SecretsError(f"{path} can be read by other users: run  chmod 600 {path}")
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise SecretsError(f"The file of secrets {path} cannot be read: {reason}") from None
    except yaml.YAMLError as error:  # its message may quote the file
        mark = getattr(error, "problem_mark", None)
        raise SecretsError(f"{path}{f', line {mark.line + 1}' if mark else ''}: is not YAML") from None
    if not isinstance(given, dict):
        raise SecretsError(f"{path}: must hold identities, each with username and password")
    return {str(identity): _credentials(entry, f"{path}, {identity}") for identity, entry in given.items()}


def _credentials(entry: Any, where: str) -> Credentials:
    if not isinstance(entry, dict) or set(entry) != {"username", "password"}:
        raise SecretsError(f"{where}: must have only username and password")
    if not all(isinstance(value, str) and value for value in entry.values()):
        raise SecretsError(f"{where}: username and password must be text; put them in quotes")
    return Credentials(entry["username"], entry["password"])
