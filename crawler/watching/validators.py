"""Whether a host's ETag and Last-Modified can be believed."""

from dataclasses import dataclass

TRUST_SECONDS = 3_600.0
"""The longest time for which a list is asked for only if it has changed."""


@dataclass(slots=True)
class Validators:
    """Of one source.

    Attributes:
        etag, last_modified: as they were sent with the last whole answer.
        whole_at: the moment of the last whole answer.
        lied: they were the same although the list had changed.
    """

    etag: str = ""
    last_modified: str = ""
    whole_at: float = 0.0
    lied: bool = False

    def headers(self, now: float) -> dict[str, str]:
        """What the next request sends: nothing if they lie, and once an hour nothing either, to check them."""
        if self.lied or now - self.whole_at >= TRUST_SECONDS:
            return {}
        sent = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in sent.items() if value}

    def forget(self) -> None:
        """The next answer is to be a whole one."""
        self.etag = self.last_modified = ""

    def see(self, sent: tuple[str, str], now: float, *, changed: bool) -> None:
        """A whole answer with these validators; `changed`: the list shows something new."""
        same = bool(self.etag or self.last_modified) and sent == (self.etag, self.last_modified)
        self.lied = self.lied or (same and changed)
        (self.etag, self.last_modified), self.whole_at = sent, now
