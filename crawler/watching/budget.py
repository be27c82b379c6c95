"""How many requests there are, and which share of them goes to what."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Budget:
    """Tokens that flow in at an even rate; each request takes one.

    Attributes:
        per_hour: requests.
        shares: of the requests, what each purpose may take at most; purposes that are not named may take all.
    """

    per_hour: float
    shares: dict[str, float] = field(default_factory=dict)
    _tokens: float = 1.0
    _at: float = -1.0
    _of_share: dict[str, float] = field(default_factory=dict)

    def flow(self, now: float) -> None:
        """Time has passed."""
        if self._at < 0:
            self._at = now
        rate = self.per_hour / 3_600
        self._tokens = min(max(2.0, rate * 60), self._tokens + (now - self._at) * rate)
        self._at = now

    def wait(self) -> float:
        """Seconds until there is a token."""
        return max(0.0, (1.0 - self._tokens) * 3_600 / max(self.per_hour, 1e-3))

    def has(self, purpose: str = "") -> bool:
        """Whether a request for this purpose may go out."""
        return self._tokens >= 1.0 and self._of_share.get(purpose, 1.0) >= 1.0

    def take(self, purpose: str, spare: float = 1.0) -> None:
        """A request goes out; `spare`, 0 … 1, is how much of their shares the purposes get at the moment."""
        self._tokens -= 1.0
        for name, share in self.shares.items():
            most = max(2.0, share * self.per_hour)
            gained = share * spare if purpose != "page" else 0.0
            self._of_share[name] = min(most, self._of_share.get(name, 1.0) + gained - (name == purpose))
