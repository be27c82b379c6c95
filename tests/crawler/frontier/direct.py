"""The shared frontier without a node's buffer: each call is a round trip, so that tests see what the server does."""

from collections.abc import Callable, Sequence
from typing import Any

from crawler.frontier.base import RequestLease
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.round_trip import BatchReply, ExchangeBatch, Promotion


class DirectFrontier(RedisFrontier):
    """The frontier protocol."""

    lost = ""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._held: dict[str, None] = {}

    def _exchange(self, **what: Any) -> BatchReply:
        if not self._identity:
            self.begin()
        self._number += 1
        outcome = self.exchange(ExchangeBatch(number=self._number, **what))
        if outcome.overflow_waits:
            self.work_on_overflow()
        return outcome

    def knows(self, key: int) -> bool:
        return False

    def promote(self, key: int, host: str, priority: int) -> bool:
        return self._exchange(promotions=[Promotion(key, host, priority)]).promoted > 0

    def pop(self, count: int) -> list[RequestLease]:
        leases = self._exchange(wanted=count).leases
        self._held.update(dict.fromkeys(lease.token for lease in leases))
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        self._forget(tokens)
        return self._exchange(acks=tokens).held

    def give_back(self, tokens: Sequence[str]) -> None:
        self._forget(tokens)
        self._exchange(given_back=tokens)

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        self._forget([token])
        before = self.accounts().dead
        return self._exchange(failures=[(token, reason, delay)]).accounts.dead > before

    def _forget(self, tokens: Sequence[str]) -> None:
        for token in tokens:
            self._held.pop(token, None)

    def heartbeat(self) -> None:
        self._exchange(known=list(self._held))

    def notify(self, wake: Callable[[], None]) -> None:
        """Every call is answered at once, so nobody is woken."""

    def wait_seconds(self) -> float | None:
        return self._exchange().wait

    def seconds_until_open(self) -> float | None:
        return self._exchange().until_open

    def pending(self) -> bool:
        accounts = self.accounts()
        return accounts.queued + accounts.leased > 0

    def purge(self) -> int:
        self._held.clear()
        return super().purge()
