"""Limits how many expensive answers are made at once, for each person and in all, so that others get theirs."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.exceptions import HTTPException

_MAX_AT_ONCE, _MAX_OF_A_PERSON = 12, 3
"""The threads that make answers are forty."""
_WAIT_SECONDS = 10.0


class ViewLimit:
    """Expensive answers wait for a place; 429 for those that find none within ten seconds. For use in one event loop."""

    def __init__(self) -> None:
        self._of_person = Counter[str]()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def place(self, person: str) -> AsyncIterator[None]:
        """Hold one of the places while the block runs. Raises HTTPException."""
        try:
            async with asyncio.timeout(_WAIT_SECONDS), self._changed:
                await self._changed.wait_for(lambda: self._has_room(person))
                self._of_person[person] += 1
        except TimeoutError:
            said = "too many expensive pages and downloads at once; try again when some of them have ended"
            raise HTTPException(429, said, {"Retry-After": str(int(_WAIT_SECONDS))}) from None
        try:
            yield
        finally:
            self._of_person[person] -= 1
            self._of_person += Counter()  # forgets who has no place
            async with self._changed:
                self._changed.notify_all()

    def _has_room(self, person: str) -> bool:
        return self._of_person[person] < _MAX_OF_A_PERSON and self._of_person.total() < _MAX_AT_ONCE
