"""The budget of requests, and its shares by purpose."""

from dataclasses import dataclass, field

NEW_PAGES = ("page", "flood")
"""Purposes: new pages of a site, and those of a site that names more than can be fetched soon."""


@dataclass(slots=True)
class Budget:
    """A token bucket with a constant rate; each request takes one token.

    Attributes:
        per_hour: requests per hour.
        shares: maximum share of each purpose; others are unlimited.
    """

    per_hour: float
    shares: dict[str, float] = field(default_factory=dict)
    _tokens: float = 1.0
    _at: float = -1.0
    _of_share: dict[str, float] = field(default_factory=dict)

    def flow(self, now: float) -> None:
        """Add the tokens since the last call."""
        if self._at < 0:
            self._at = now
        rate = self.per_hour / 3_600
        self._tokens = min(self._most(), self._tokens + (now - self._at) * rate)
        self._at = now

    def wait(self) -> float:
        """Seconds until there is a token."""
        return max(0.0, (1.0 - self._tokens) * 3_600 / max(self.per_hour, 1e-3))

    def has(self, purpose: str = "") -> bool:
        """Whether a request for this purpose may be sent."""
        return self._tokens >= 1.0 and self._of_share.get(purpose, 1.0) >= 1.0

    def has_spare(self) -> bool:
        """Whether a request that could wait leaves some for those that cannot."""
        return self._tokens >= self._most() / 2

    def _most(self) -> float:
        return max(2.0, self.per_hour / 60)

    def take(self, purpose: str, spare: float = 1.0) -> None:
        """Take a token for a request; `spare`, 0 … 1, scales the shares of all purposes but new pages at present."""
        self._tokens -= 1.0
        for name, share in self.shares.items():
            most = max(2.0, share * self.per_hour)
            scale = 1.0 if name in NEW_PAGES else 0.0 if purpose in NEW_PAGES else spare
            left = self._of_share.get(name, 1.0) + share * scale - (name == purpose)
            self._of_share[name] = min(most, max(0.0, left))
