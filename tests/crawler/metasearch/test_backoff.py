"""Backoff of engines that block."""

from crawler.engines.protocol.engine import About
from crawler.metasearch.backoff import EngineBackoff

SHY = About("shy", "shy.example", delay=1.0, backoff=900.0)
OPEN = About("open", "open.example", delay=1.0)


class BlockingEngine:
    """Refuses for `ban` seconds after `most` requests."""

    def __init__(self, most: int, ban: float) -> None:
        self.most, self.ban, self.count, self.until = most, ban, 0, 0.0
        self.hammered = 0

    def ask(self, now: float) -> bool:
        if now < self.until:
            self.hammered += 1
            return False
        self.count += 1
        if self.count > self.most:
            self.count, self.until = 0, now + self.ban
            return False
        return True


def test_a_blocking_engine_gets_no_request_before_its_backoff_ends() -> None:
    now = [1_000_000.0]
    backoff = EngineBackoff([SHY, OPEN], lambda: now[0])
    shy, asked = BlockingEngine(9, 900), {"shy": 0, "open": 0}
    for _ in range(3_600):
        for name in asked:
            if backoff.wait(name) == 0:
                backoff.on_request(name)
                answered = shy.ask(now[0]) if name == "shy" else True
                asked[name] += answered
                (backoff.on_answer if answered else backoff.on_block)(name)
        now[0] += 1.0
    assert shy.hammered == 0
    assert asked["shy"] == 9 * 4
    assert asked["open"] == 3_600


def test_backoff_doubles_and_an_answer_ends_it() -> None:
    now = [0.0]
    backoff = EngineBackoff([SHY], lambda: now[0])
    backoff.on_block("shy")
    assert backoff.wait("shy") == 900
    row = backoff.on_block("shy")
    assert backoff.wait("shy") == 1_800
    other = EngineBackoff([SHY], lambda: now[0])
    other.merge(row)
    assert other.wait("shy") == 1_800
    now[0] = 1_800
    assert other.on_answer("shy") == {"engine": "shy", "blocks": 0, "until": 0.0}
