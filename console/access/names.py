"""Names of people who write in threads and comments: masked, unless the role allows them and the look is noted in the audit."""

import hmac
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipelines.stores.base import MutableRow, Store
from pipelines.stores.people_tables import CONSOLE_SECRETS

_MASK_CHARS = 4
_MASK_KEY = "name_mask"


@dataclass(frozen=True)
class NameMask:
    """Masks names by a secret of the store: the same name has the same four characters on every page, and nobody can test a name."""

    store: Store

    def of(self, name: Any) -> str:
        """The mask of a name; "" for none."""
        text = str(name or "").encode("utf-8", "replace")
        return hmac.new(self._secret, text, "sha256").hexdigest()[:_MASK_CHARS] if text else ""

    def post(self, row: MutableRow) -> MutableRow:
        """A post or comment without its author's name and address."""
        return row | {"author": self.of(row["author"]), "author_url": "", "url": ""}

    def page(self, row: MutableRow) -> MutableRow:
        """A page; the author of a thread is a person, that of an article is its by-line."""
        return row | {"author": self.of(row["author"])} if row["kind"] == "thread" else row

    @cached_property
    def _secret(self) -> bytes:
        row = self.store.get(CONSOLE_SECRETS, _MASK_KEY)
        if row is None:
            made = {"name": _MASK_KEY, "value": secrets.token_hex(32)}
            self.store.upsert(CONSOLE_SECRETS, [made]).result()
            row = self.store.get(CONSOLE_SECRETS, _MASK_KEY) or made  # another console may have been first
        return bytes.fromhex(row["value"])
