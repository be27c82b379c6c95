"""What operators ask of a node's frontier goes straight to the server."""

from collections.abc import Iterator

from crawler.frontier.base import DeadRequest, LeasedRequest, Node
from crawler.frontier.shared.redis import RedisFrontier


class RemoteViews:
    """The part of the frontier protocol that no crawl calls."""

    def __init__(self, remote: RedisFrontier) -> None:
        self._remote = remote

    def nodes(self) -> Iterator[Node]:
        """See `Frontier.nodes`."""
        return self._remote.nodes()

    def leased(self) -> Iterator[LeasedRequest]:
        """See `Frontier.leased`."""
        return self._remote.leased()

    def dead(self) -> Iterator[DeadRequest]:
        """See `Frontier.dead`."""
        return self._remote.dead()

    def requeue(self, host: str = "") -> int:
        """See `Frontier.requeue`."""
        return self._remote.requeue(host)

    def purge(self) -> int:
        """See `Frontier.purge`."""
        return self._remote.purge()
