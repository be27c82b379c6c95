"""Workers that parse pages are killed or stopped at random moments: every other page is read, and no process is left."""

import asyncio
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from benchmarks.attacks import Trial, outcome
from crawler.parse_workers.frames import ParseTask
from crawler.parse_workers.pool import NOTHING_READ, ReaderPool, UnreadablePageError

_PAGES, _ATTACKS, _HANGS_SECONDS = 400, 6, 2.0
_MAX_SECONDS = 90.0


def attack(folder: Path, trial: Trial) -> str:
    """Two workers; a page of which two workers die may be given up."""
    began = time.monotonic()
    read, given_up, empty, left = asyncio.run(_crawled(trial.chance()))
    seconds = time.monotonic() - began
    return outcome(
        f"{read} of {_PAGES} pages read, {given_up} given up, {_ATTACKS} workers killed or stopped, {seconds:.1f} s",
        f"{empty} pages came back empty" if empty else "",
        "more pages lost than workers" if given_up > _ATTACKS else "",
        f"{left} processes left" if left else "",
        "too slow" if seconds > _MAX_SECONDS else "",
    )


async def _crawled(chance: Random) -> tuple[int, int, int, int]:
    pool = ReaderPool(2, _HANGS_SECONDS)
    attacker = asyncio.create_task(_attack(pool, chance))
    answers = await asyncio.gather(*(pool.read(_task(number)) for number in range(_PAGES)), return_exceptions=True)
    await attacker
    await pool.close()
    given_up = sum(isinstance(each, UnreadablePageError) for each in answers)
    empty = sum(each == NOTHING_READ for each in answers)
    left = sum(process.returncode is None for process in pool.processes.values())
    return len(answers) - given_up - empty, given_up, empty, left


async def _attack(pool: ReaderPool, chance: Random) -> None:
    for _ in range(_ATTACKS):
        await asyncio.sleep(chance.uniform(0.3, 1.2))
        if pool.processes:
            with suppress(ProcessLookupError):
                os.kill(
                    chance.choice(list(pool.processes.values())).pid, chance.choice((signal.SIGKILL, signal.SIGSTOP))
                )


def _task(number: int) -> ParseTask:
    body = f"<title>第{number}页</title><article>{'<p>这是正文，记者走访了多个路口。</p>' * 300}</article>".encode()
    return ParseTask(f"http://x.example/{number}", body, "text/html", "2026-11-23T10:00:00+00:00", ("article",))
