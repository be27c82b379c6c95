"""A node's side of one shard of a crawl, with the interface between shards."""

from crawler.frontier.shared.buffered import BufferedFrontier


class ShardFrontier(BufferedFrontier):
    """A buffered frontier that shares the node's capacity with other shards, and whose acknowledgements may wait for them."""

    @property
    def claim(self) -> int:
        """The number of leases that are here or were requested."""
        return len(self._leases) + (self._sent.wanted if self._sent and not self._outage else 0)

    @property
    def wants(self) -> bool:
        """Whether no lease is left here while the server should have available requests."""
        if not self._timer.starved or self._outage or self._sent or not self._accounts.queued:
            return False
        return self._timer.has_waited()

    @property
    def backlog(self) -> int:
        """The number of pushes that are not on the server yet."""
        return self.pushed - self.arrived

    @property
    def is_away(self) -> bool:
        """Whether its server does not answer, though leases may be here."""
        return bool(self._outage)

    def look(self) -> None:
        """Check for free capacity."""
        self._timer.kick()

    def set_aside(self, token: str) -> bool:
        """Hold the acknowledgement of a done page until `ack_aside`; whether it was under way."""
        known = self._leases.end([token])
        self._leases.aside.update(dict.fromkeys(known))
        return bool(known)

    def park(self, token: str) -> None:
        """Make the host available again, as the acknowledgement will take long."""
        self._unsent.parked.append(token)
        self._timer.kick()

    def ack_aside(self, token: str) -> None:
        if self._leases.aside.pop(token, token) is None:
            self._unsent.acks.append(token)
            self._timer.kick()
