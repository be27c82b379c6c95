"""Live updates: a stream of server-sent events per client, with one shared poll of the store."""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from console.frame.app_context import AppContext
from console.frame.authentication import authenticate
from pipelines.stores.base import StoreError

LOOK_SECONDS = 3.0
_STREAM_SECONDS = 600.0
"""Maximum length of a stream; the browser reconnects and is authenticated again."""
_QUIET_SECONDS = 20.0
"""Interval of keep-alive comments, so that proxies do not close the stream."""
_KEPT_EVENTS = 100
_MAX_WATCHERS = 100

Look = Callable[[AppContext], Mapping[str, Any]]
"""A function that reads the watchable parts from the store, as JSON values."""


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """The current state of a part; event numbers increase."""

    number: int
    part: str
    data: str


@dataclass(slots=True)
class Live:
    """The parts at the last poll, and their recent changes.

    Attributes:
        name: unique per start of the console, so that event numbers of an earlier start are not confused.
    """

    app_context: AppContext
    look: Look
    name: str = field(default_factory=lambda: f"{time.time_ns():x}")
    _events: deque[LiveEvent] = field(default_factory=lambda: deque(maxlen=_KEPT_EVENTS))
    _now: dict[str, LiveEvent] = field(default_factory=dict)
    _number: int = 0
    _watchers: int = 0
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _task: "asyncio.Task[None] | None" = None

    async def watch(self, last: str = "") -> AsyncIterator[str]:
        """Events as text: those behind the last one that the reader has, or all parts as they are now; then each change."""
        self._watchers += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look_on())
        try:
            sent = self._place(last)
            ends = time.monotonic() + _STREAM_SECONDS
            yield "retry: 3000\n\n"
            while time.monotonic() < ends:
                for event in self._behind(sent):
                    sent = event.number
                    yield f"id: {self.name}-{event.number}\nevent: {event.part}\ndata: {event.data}\n\n"
                if not await self._wait(sent):
                    yield ": quiet\n\n"
        finally:
            self._watchers -= 1

    @property
    def is_full(self) -> bool:
        return self._watchers >= _MAX_WATCHERS

    def _place(self, last: str) -> int:
        name, _, number = last.rpartition("-")
        return int(number) if name == self.name and number.isascii() and number.isdigit() and len(number) < 16 else 0

    def _behind(self, sent: int) -> list[LiveEvent]:
        """For a client that is far behind, each part once."""
        if self._events and sent >= self._events[0].number - 1 and sent:
            return [event for event in self._events if event.number > sent]
        return sorted((event for event in self._now.values() if event.number > sent), key=lambda event: event.number)

    async def _wait(self, sent: int) -> bool:
        """Wait for a change; False when a keep-alive is due."""
        try:
            async with asyncio.timeout(_QUIET_SECONDS), self._changed:
                await self._changed.wait_for(lambda: self._number > sent)
        except TimeoutError:
            return False
        return True

    async def _look_on(self) -> None:
        """Poll until no client is connected."""
        while self._watchers:
            try:
                parts = await run_in_threadpool(self.look, self.app_context)
            except StoreError:  # polled again later; the page itself shows the error
                parts = {}
            await self._take(parts)
            await asyncio.sleep(LOOK_SECONDS)

    async def _take(self, parts: Mapping[str, Any]) -> None:
        for part, values in parts.items():
            data = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
            if part not in self._now or self._now[part].data != data:
                self._number += 1
                self._now[part] = LiveEvent(self._number, part, data)
                self._events.append(self._now[part])
        async with self._changed:
            self._changed.notify_all()


def live_route(app_context: AppContext, look: Look) -> Route:
    """The route `/live`, for every viewer."""
    live = Live(app_context, look)

    async def stream(request: Request) -> Response:
        result = await run_in_threadpool(authenticate, request, app_context)
        if not result.is_known:
            return Response(status_code=401)
        if live.is_full:
            raise HTTPException(503)
        events = live.watch(request.headers.get("last-event-id", "")[:60])
        return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    return Route("/live", stream)
