"""A node's side of one shard of a crawl: what the shards must know of each other."""

from crawler.frontier.shared.buffered import BufferedFrontier


class ShardFrontier(BufferedFrontier):
    """A buffered frontier that shares the node's room with others, and whose answers may wait for them."""

    @property
    def claim(self) -> int:
        """Leases that are here or have been asked for."""
        return len(self._leases) + (self._sent.wanted if self._sent and not self._outage else 0)

    @property
    def wants(self) -> bool:
        """Whether nothing is left here while the server should have something that may be asked now."""
        if not self._timer.starved or self._outage or self._sent or not self._accounts.queued:
            return False
        return self._timer.has_waited()

    @property
    def backlog(self) -> int:
        """Pushes that are not on the server yet."""
        return self.pushed - self.arrived

    @property
    def is_away(self) -> bool:
        """Whether its server does not answer, though leases may be here."""
        return bool(self._outage)

    def look(self) -> None:
        """There may be room for more."""
        self._timer.kick()

    def set_aside(self, token: str) -> bool:
        """The page is done, but `ack_aside` says it later; whether it was under way."""
        known = self._leases.end([token])
        self._leases.aside.update(dict.fromkeys(known))
        return bool(known)

    def park(self, token: str) -> None:
        """That will take long, so the server shall let the host be asked again."""
        self._unsent.parked.append(token)
        self._timer.kick()

    def ack_aside(self, token: str) -> None:
        if self._leases.aside.pop(token, token) is None:
            self._unsent.acks.append(token)
            self._timer.kick()
