"""Checks whether a host's ETag and Last-Modified are reliable."""

from dataclasses import dataclass

TRUST_SECONDS = 3_600.0
"""Maximum time of conditional requests between two complete answers."""


@dataclass(slots=True)
class Validators:
    """The validators of one source.

    Attributes:
        etag, last_modified: from the last complete answer.
        whole_at: the moment of the last complete answer.
        lied: they were unchanged although the list had changed.
    """

    etag: str = ""
    last_modified: str = ""
    whole_at: float = 0.0
    lied: bool = False

    def headers(self, now: float) -> dict[str, str]:
        """Headers of the next request: none if they are unreliable, and once an hour none to verify them."""
        if self.lied or now - self.whole_at >= TRUST_SECONDS:
            return {}
        sent = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in sent.items() if value}

    def forget(self) -> None:
        """Make the next request unconditional."""
        self.etag = self.last_modified = ""

    def see(self, sent: tuple[str, str], now: float, *, changed: bool) -> None:
        """Note a complete answer with these validators; `changed`: the list has new items."""
        same = bool(self.etag or self.last_modified) and sent == (self.etag, self.last_modified)
        self.lied = self.lied or (same and changed)
        (self.etag, self.last_modified), self.whole_at = sent, now
