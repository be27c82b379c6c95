"""Worker processes that parse pages, so that a crawl uses several cores and parsing does not block its event loop."""

import asyncio
import logging
import os
import socket
import subprocess
import sys
from collections import deque
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import crawler
from crawler.parse_workers.frames import HEAD, MAX_BYTES, ParsedPage, ParseTask, dump_task, load_parsed

logger = logging.getLogger(__name__)
MAX_SECONDS = 60.0
"""Timeout of one page, far above the slowest, and of a start: after it the process counts as hanging."""
NOTHING_READ = ParsedPage({}, ())
_PAGES_PER_PROCESS = 2
"""Pages sent to one process, so that the next is available while it parses one."""
_MAX_DEATHS = 2
"""Processes that may die on one page before the page is given up."""
_MAX_FAILED_STARTS = 3
"""Consecutive processes that died before they parsed a page, so that no page is to blame."""
_ERRORS = (OSError, EOFError, ValueError, TypeError)
"""Errors of a process that has died, hangs (TimeoutError is an OSError), or sends an invalid answer."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class UnreadablePageError(Exception):
    """The processes that parsed this page died or hung."""


@dataclass(slots=True, eq=False)
class _Job:
    message: bytes
    done: "asyncio.Future[ParsedPage]"
    deaths: int = 0


class ReaderPool:
    """`size` worker processes, started with the first page and replaced when they die.

    Signals of a terminal do not reach them: they end when the pool is closed or its process dies.

    Attributes:
        processes: the running ones, by their numbers.
    """

    def __init__(self, size: int, seconds: float = MAX_SECONDS) -> None:
        self._size, self._seconds = size, seconds
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._pages = [0] * size
        self.processes: dict[int, subprocess.Popen[bytes]] = {}

    async def read(self, task: ParseTask) -> ParsedPage:
        """The values of a page; empty if no process can be started. Raises UnreadablePageError if two died on it."""
        loop = asyncio.get_running_loop()
        if not self._tasks:
            self._tasks = [loop.create_task(self._keep_alive(number)) for number in range(self._size)]
        if all(each.done() for each in self._tasks):
            return NOTHING_READ
        job = _Job(dump_task(task), loop.create_future())
        self._jobs.put_nowait(job)
        return await job.done

    async def close(self) -> None:
        """End the processes; pages being parsed get no answer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep_alive(self, number: int) -> None:
        in_vain = 0
        while in_vain < _MAX_FAILED_STARTS:
            in_vain = 0 if await self._run(number) else in_vain + 1
        logger.error("Worker processes die before they have parsed a page; the crawl continues without this one")
        if all(each.done() or each is asyncio.current_task() for each in self._tasks):
            while not self._jobs.empty():
                _answer(self._jobs.get_nowait(), NOTHING_READ)

    async def _run(self, number: int) -> bool:
        """Start a process and send it pages until it dies; whether it has parsed any."""
        under_way: deque[_Job] = deque()
        process, ours = _start()
        self.processes[number] = process
        read_before = self._pages[number]
        try:
            reader, writer = await asyncio.open_unix_connection(sock=ours)
            with closing(writer):
                await _answer_within(MAX_SECONDS, reader)
                await self._feed(number, reader, writer, under_way)
        except _ERRORS as error:
            logger.warning("A worker process has ended: %r", error)
            self._pass_on(under_way)
        finally:
            process.kill()
            process.wait()
        return self._pages[number] > read_before

    async def _feed(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, under_way: deque[_Job]
    ) -> None:
        while True:
            while len(under_way) < _PAGES_PER_PROCESS and (not under_way or not self._jobs.empty()):
                under_way.append(job := await self._jobs.get())
                # not drained: the process may be writing an answer, which would not be read in the meantime
                writer.write(job.message)
            answer = load_parsed(await _answer_within(self._seconds, reader))
            _answer(under_way.popleft(), answer)
            self._pages[number] += 1

    def _pass_on(self, jobs: deque[_Job]) -> None:
        """Requeue the jobs of a dead process: it was parsing the first, and the others were waiting."""
        for place, job in enumerate(jobs):
            job.deaths += place == 0
            if job.deaths < _MAX_DEATHS:
                self._jobs.put_nowait(job)
            elif not job.done.done():
                job.done.set_exception(UnreadablePageError(f"{job.deaths} processes that parsed the page died or hung"))


def _answer(job: _Job, reading: ParsedPage) -> None:
    if not job.done.done():
        job.done.set_result(reading)


async def _answer_within(seconds: float, reader: asyncio.StreamReader) -> bytes:
    # `wait_for` of Python 3.11 may lose a cancellation that coincides with the answer
    async with asyncio.timeout(seconds):
        size = HEAD.unpack(await reader.readexactly(HEAD.size))[0]
        if size > MAX_BYTES:
            raise ValueError(f"an answer of {size:,} bytes")
        return await reader.readexactly(size)


def _start() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A process in its own session, and our end of the socket to it."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "crawler.parse_workers.process"],
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            env=os.environ | _ONE_THREAD | {"PYTHONPATH": _import_path()},
            start_new_session=True,
        )
    ours.setblocking(False)
    return process, ours


def _import_path() -> str:
    """The PYTHONPATH with which the process finds this package from any folder."""
    ours = str(Path(crawler.__file__).parents[1])
    return os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH", ""))))
