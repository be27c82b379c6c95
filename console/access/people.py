"""Accounts and their roles."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from threading import Lock

from console.access.passwords import hash_password, weakness
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.people_tables import USERS

_MAX_TOPICS, _MAX_TOPIC_CHARS = 100, 200
_NAME = re.compile(r"[\w.@-]{1,60}")


class Role(IntEnum):
    """Roles; each includes the permissions of lower ones."""

    VIEWER = 1
    ANALYST = 2
    ADMIN = 3

    @classmethod
    def named(cls, name: str) -> "Role":
        """The role with this name; raises ValueError if there is none."""
        try:
            return cls[name.upper()]
        except KeyError:
            raise ValueError(f"There is no role {name!r}; choose viewer, analyst or admin.") from None

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Person:
    """The user of a request. `may_decide` is false for a program with a read-only token; the rest is what the person prefers."""

    name: str
    role: Role
    is_program: bool = False
    may_decide: bool = True
    language: str = ""
    zone: str = ""
    topics: tuple[str, ...] = ()

    def may(self, role: Role) -> bool:
        return self.role >= role


class LastAdminError(ValueError):
    """The change would leave no active administrator."""


@dataclass(frozen=True, slots=True)
class People:
    """The accounts in a store."""

    store: Store
    now: Callable[[], datetime]
    _changing: Lock = field(default_factory=Lock)

    def any(self) -> bool:
        """Whether there is an account at all."""
        return next(self.store.select(USERS, limit=1, columns=["name"]), None) is not None

    def get(self, name: str) -> MutableRow | None:
        """The account, if it is active and its role is known."""
        row = self.store.get(USERS, name)
        return row if row and row["state"] == "active" and row["role"] in map(str, Role) else None

    def all(self) -> Iterator[MutableRow]:
        """Every account without its password, by name."""
        columns = [column.name for column in USERS.columns if column.name != "password"]
        return self.store.select(USERS, order=[Order("name")], columns=columns)

    def set_preferences(self, name: str, language: str, zone: str, topics: Sequence[str]) -> None:
        """Language and zone ("" for those of the browser), and the topics that lists show first."""
        self._known(name)
        kept = [topic.strip()[:_MAX_TOPIC_CHARS] for topic in topics if topic.strip()][:_MAX_TOPICS]
        self._save({"name": name, "language": language, "zone": zone, "topics": list(dict.fromkeys(kept))})

    def admins(self) -> int:
        """The number of active administrators."""
        return self.store.count(USERS, [Condition("role", "=", str(Role.ADMIN)), Condition("state", "=", "active")])

    def add(self, name: str, role: Role, password: str) -> None:
        """Add an account; raises ValueError if the name exists, or name or password are invalid."""
        if not _NAME.fullmatch(name):
            raise ValueError("A name has 1 to 60 letters, digits and . _ @ -")
        if self.store.get(USERS, name):
            raise ValueError(f"There is a user {name!r} already.")
        self._check(name, password)
        row = {"name": name, "role": str(role), "state": "active", "created_at": self._at()}
        self._save(row | {"password": hash_password(password)})

    def set_password(self, name: str, password: str) -> None:
        """Set a password; raises ValueError for an unknown account or an invalid password."""
        self._known(name)
        self._check(name, password)
        self._save({"name": name, "password": hash_password(password)})

    def set_role(self, name: str, role: Role) -> None:
        """Raises ValueError for an unknown account, LastAdminError if no administrator would be left."""
        self._change(name, {"role": str(role)})

    def set_active(self, name: str, is_active: bool) -> None:
        """Raises ValueError for an unknown account, LastAdminError if no administrator would be left."""
        self._change(name, {"state": "active" if is_active else "disabled"})

    def _change(self, name: str, values: MutableRow) -> None:
        """Looks after it has written: two programs that change accounts at once both see the other's change, or it sees theirs."""
        with self._changing:
            before = self._known(name)
            self._save({"name": name, **values})
            if _is_active_admin(before) and not self.admins():
                self._save({"name": name, **{column: before[column] for column in values}})
                raise LastAdminError("One administrator must stay.")

    def _known(self, name: str) -> Row:
        row = self.store.get(USERS, name)
        if not row:
            raise ValueError(f"There is no user {name!r}.")
        return row

    def _check(self, name: str, password: str) -> None:
        if sentence := weakness(password, name):
            raise ValueError(sentence)

    def _save(self, row: MutableRow) -> None:
        self.store.upsert(USERS, [row | {"changed_at": self._at()}]).result()

    def _at(self) -> str:
        return self.now().isoformat(timespec="seconds")


def _is_active_admin(account: Row) -> bool:
    return (account["role"], account["state"]) == (str(Role.ADMIN), "active")
