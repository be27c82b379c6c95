"""Processes that read pages, so that a crawl uses more than one core and its event loop waits for no page."""

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
"""For one page, many times what the largest takes, and for a start: longer, and the process hangs."""
NOTHING_READ = ParsedPage({}, ())
_PAGES_PER_PROCESS = 2
"""Pages that one process has: while it reads one, the next is there already."""
_MAX_DEATHS = 2
"""Of processes that read one page, after which the page is to blame."""
_MAX_FAILED_STARTS = 3
"""Processes one after the other that died before they had read a page: it is none of the pages."""
_ERRORS = (OSError, EOFError, ValueError, TypeError)
"""Of a process that is gone, hangs (TimeoutError is an OSError), or sends what is no answer."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class UnreadablePageError(Exception):
    """The processes that read this page died or hung."""


@dataclass(slots=True, eq=False)
class _Job:
    message: bytes
    done: "asyncio.Future[ParsedPage]"
    deaths: int = 0


class ReaderPool:
    """`size` processes; they start with the first page, and one that dies is replaced.

    No signal of a terminal reaches them: they end when the pool is closed or its process dies.

    Attributes:
        processes: those that run now, by their numbers.
    """

    def __init__(self, size: int, seconds: float = MAX_SECONDS) -> None:
        self._size, self._seconds = size, seconds
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._pages = [0] * size
        self.processes: dict[int, subprocess.Popen[bytes]] = {}

    async def read(self, task: ParseTask) -> ParsedPage:
        """What was read of a page; nothing if no process can be started. UnreadablePageError if two died of it."""
        loop = asyncio.get_running_loop()
        if not self._tasks:
            self._tasks = [loop.create_task(self._keep_alive(number)) for number in range(self._size)]
        if all(each.done() for each in self._tasks):
            return NOTHING_READ
        job = _Job(dump_task(task), loop.create_future())
        self._jobs.put_nowait(job)
        return await job.done

    async def close(self) -> None:
        """End the processes; a page that is being read gets no answer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep_alive(self, number: int) -> None:
        in_vain = 0
        while in_vain < _MAX_FAILED_STARTS:
            in_vain = 0 if await self._run(number) else in_vain + 1
        logger.error("Processes that read pages die before they have read any; the crawl does without this one")
        if all(each.done() or each is asyncio.current_task() for each in self._tasks):
            while not self._jobs.empty():
                _answer(self._jobs.get_nowait(), NOTHING_READ)

    async def _run(self, number: int) -> bool:
        """Start a process and give it pages until it dies; whether it has read any."""
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
            logger.warning("A process that reads pages has ended: %r", error)
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
                writer.write(job.message)  # never drained: the process may be writing an answer, and nobody would read
            answer = load_parsed(await _answer_within(self._seconds, reader))
            _answer(under_way.popleft(), answer)
            self._pages[number] += 1

    def _pass_on(self, jobs: deque[_Job]) -> None:
        """The first of these was being read by a process that has died; the others only waited."""
        for place, job in enumerate(jobs):
            job.deaths += place == 0
            if job.deaths < _MAX_DEATHS:
                self._jobs.put_nowait(job)
            elif not job.done.done():
                job.done.set_exception(UnreadablePageError(f"{job.deaths} processes that read the page died or hung"))


def _answer(job: _Job, reading: ParsedPage) -> None:
    if not job.done.done():
        job.done.set_result(reading)


async def _answer_within(seconds: float, reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(
        seconds
    ):  # `wait_for` of Python 3.11 forgets to be cancelled if the answer comes just then
        size = HEAD.unpack(await reader.readexactly(HEAD.size))[0]
        if size > MAX_BYTES:
            raise ValueError(f"an answer of {size:,} bytes")
        return await reader.readexactly(size)


def _start() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A process, in a session of its own, and our end of the socket to it."""
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
    """Where the process finds this package, whatever its folder."""
    ours = str(Path(crawler.__file__).parents[1])
    return os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH", ""))))
