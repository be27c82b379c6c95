"""Periodic tasks on the event loop."""

import asyncio
import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Timers:
    """Runs actions periodically; failures are logged and do not stop them."""

    def __init__(self) -> None:
        self._handles: list[asyncio.TimerHandle] = []

    def every(self, seconds: float, action: Callable[[], None]) -> None:
        """Run it after `seconds`, and again `seconds` after each run ends."""
        loop = asyncio.get_running_loop()
        place = len(self._handles)
        logged = ""

        def run() -> None:
            nonlocal logged
            try:
                action()
            except Exception as error:  # the next run may succeed
                if str(error) != logged:
                    logger.exception("A periodic task of the frontier failed")
                logged = str(error)
            self._handles[place] = loop.call_later(seconds, run)

        self._handles.append(loop.call_later(seconds, run))

    def cancel(self) -> None:
        """Stop all actions."""
        for handle in self._handles:
            handle.cancel()
