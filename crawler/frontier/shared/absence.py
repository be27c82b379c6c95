"""A server that is away: said once, waited for, and said again when it is back."""

import logging
import random
import time

logger = logging.getLogger(__name__)


class Absence:
    """True while the server is away."""

    def __init__(self) -> None:
        self._since = 0.0

    def __bool__(self) -> bool:
        return bool(self._since)

    def goes_on(self, error: Exception) -> float:
        """It does not answer; the seconds to wait before it is asked again: longer from time to time, two at most."""
        if not self._since:
            self._since = time.monotonic()
            logger.warning("%s. Nothing is lost; the crawl waits for it", error)
        return min(2.0, 0.1 + (time.monotonic() - self._since) / 5) * random.uniform(0.8, 1.2)

    def ends(self) -> None:
        """It answers."""
        logger.info("Redis is back after %.0f s; the crawl goes on", time.monotonic() - self._since)
        self._since = 0.0
