"""Processes that read pages: they are replaced when they die, and no page is lost by that."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from crawler.parse_workers import pool as pool_module
from crawler.parse_workers.frames import ParsedPage, ParseTask
from crawler.parse_workers.pool import NOTHING_READ, ReaderPool, UnreadablePageError
from crawler.parse_workers.values import unpack

_READY = (
    "import sys, socket; s = socket.socket(fileno=0); m = b'\\x93\\x80\\x90\\xc4\\0'; s.sendall(b'\\5\\0\\0\\0' + m); "
)
_MEETS_A_KILLER = _READY + (
    "f = s.makefile('rb')\n"
    "while h := f.read(4):\n"
    "    d = f.read(int.from_bytes(h, 'little'))\n"
    "    if b'killer' in d: sys.exit(1)\n"
    "    s.sendall(b'\\5\\0\\0\\0' + m)\n"
)
"""Answers every page with nothing, and dies of one."""
_HANGS = _READY + "s.recv(9); import time; time.sleep(60)"


def task(name: str) -> ParseTask:
    body = f"<title>{name}</title><p>{name}，这是正文。".encode() * 20
    return ParseTask(f"http://x.example/{name}", body, "text/html", "2026-11-23T10:00:00+00:00", ("article",))


def run(steps: Callable[[ReaderPool], Coroutine[Any, Any, None]], size: int, seconds: float = 60.0) -> None:
    """The steps with a pool, which leaves no process."""

    async def all_steps() -> None:
        readers = ReaderPool(size, seconds)
        try:
            await steps(readers)
        finally:
            await readers.close()
        assert all(process.returncode is not None for process in readers.processes.values())

    asyncio.run(all_steps())


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Sets what the processes run."""

    def use(code: str) -> None:
        popen = subprocess.Popen
        monkeypatch.setattr(
            pool_module.subprocess, "Popen", lambda _, **given: popen([sys.executable, "-S", "-c", code], **given)
        )

    return use


def test_a_killed_process_is_replaced_and_its_pages_are_read() -> None:
    async def steps(readers: ReaderPool) -> None:
        await readers.read(task("first"))
        killed = readers.processes[0]
        assert os.getsid(killed.pid) != os.getsid(0)  # Ctrl-C goes to the crawl alone
        os.kill(killed.pid, signal.SIGSTOP)  # so that it has the pages when it dies
        reading = [asyncio.create_task(readers.read(task(f"page{number}"))) for number in range(5)]
        await asyncio.sleep(0.05)
        os.kill(killed.pid, signal.SIGKILL)
        found = await asyncio.gather(*reading)
        assert [unpack(each.values["article"]).title for each in found] == [f"page{number}" for number in range(5)]
        assert readers.processes[0].pid != killed.pid

    run(steps, 1)


def test_a_page_of_which_two_processes_die_is_to_blame_and_costs_no_other(program: Callable[[str], None]) -> None:
    program(_MEETS_A_KILLER)

    async def steps(readers: ReaderPool) -> None:
        names = ["a", "killer", "b", "c", "d"]
        found = await asyncio.gather(*(readers.read(task(name)) for name in names), return_exceptions=True)
        assert [type(each) for each in found] == [ParsedPage, UnreadablePageError, ParsedPage, ParsedPage, ParsedPage]

    run(steps, 2)


def test_a_process_that_hangs_is_ended(program: Callable[[str], None]) -> None:
    program(_HANGS)

    async def steps(readers: ReaderPool) -> None:
        with pytest.raises(UnreadablePageError):
            await readers.read(task("a"))

    run(steps, 1, 0.2)


def test_where_no_process_can_be_started_the_crawl_reads_its_pages_itself(program: Callable[[str], None]) -> None:
    program("")

    async def steps(readers: ReaderPool) -> None:
        assert await readers.read(task("a")) == NOTHING_READ
        assert await readers.read(task("b")) == NOTHING_READ

    run(steps, 2)
