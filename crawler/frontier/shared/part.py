"""A node's side of one part of a divided crawl: what the parts must know of each other."""

from collections.abc import Sequence

from crawler.frontier.shared.buffered import BufferedFrontier


class PartFrontier(BufferedFrontier):
    """A buffered frontier that shares the node's room with others, and whose answers may wait for them."""

    @property
    def claim(self) -> int:
        """Leases that are here or have been asked for."""
        return len(self._leases) + (self._sent.wanted if self._sent and not self._outage else 0)

    @property
    def wants(self) -> bool:
        """Whether nothing is left here while the server should have something that may be asked now."""
        if not self._rhythm.starved or self._outage or self._sent or not self._accounts.queued:
            return False
        return self._rhythm.has_waited()

    @property
    def backlog(self) -> int:
        """Pushes that are not on the server yet."""
        return self.pushed - self.arrived

    def look(self) -> None:
        """There may be room for more."""
        self._rhythm.kick()

    def set_aside(self, tokens: Sequence[str]) -> list[str]:
        """These are done, but `ack_aside` says it later; returns those that were under way."""
        known = self._leases.end(tokens)
        self._leases.aside.update(dict.fromkeys(known))
        return known

    def ack_aside(self, token: str) -> None:
        if self._leases.aside.pop(token, token) is None:
            self._outbox.acks.append(token)
            self._rhythm.kick()
