"""Regular tasks on the event loop."""

import asyncio
import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Timers:
    """Runs actions again and again; one that fails is logged and runs again."""

    def __init__(self) -> None:
        self._handles: list[asyncio.TimerHandle] = []

    def every(self, seconds: float, action: Callable[[], None]) -> None:
        """Run it so many seconds from now, and so many seconds after each of its ends."""
        loop = asyncio.get_running_loop()
        place = len(self._handles)
        logged = ""

        def run() -> None:
            nonlocal logged
            try:
                action()
            except Exception as error:  # the next time it may succeed
                if str(error) != logged:
                    logger.exception("A regular task of the frontier failed")
                logged = str(error)
            self._handles[place] = loop.call_later(seconds, run)

        self._handles.append(loop.call_later(seconds, run))

    def cancel(self) -> None:
        """Run none of them again."""
        for handle in self._handles:
            handle.cancel()
