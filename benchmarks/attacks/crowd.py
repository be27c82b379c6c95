"""Fifty people read and search in a large store while a crawl writes and the analysis works: no answer takes over two seconds."""

import asyncio
import os
import random
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from benchmarks.attacks import Trial, outcome
from benchmarks.console import fill, index_texts
from benchmarks.console_pages import made_rows
from console.pages import PAGES
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES as PAGE_ROWS
from pipelines.waiting import waiting_rows
from testbed.console_server import console_process
from testbed.crawling import REPOSITORY

_PEOPLE, _PAUSE_SECONDS = 50, 10.0
_WRITTEN_A_SECOND = 5
_MAX_SECONDS, _MAX_BYTES = 2.0, 500 << 20
_WORDS = "首付 成都 公积金 房贷 限购 北京 土地 成交".split()


def attack(folder: Path, trial: Trial) -> str:
    """Pages stored each second, as a crawl does; each person opens something every ten seconds on average."""
    address = f"sqlite:///{folder}/made.db"
    with closing(open_store(address)) as store:
        fill(store, trial.pages)
        index_texts(store)
        keys = [str(row["key"]) for row in store.select(PAGE_ROWS, limit=500, columns=["key"])]
        is_over = threading.Event()
        crawl = threading.Thread(target=_write, args=(store, is_over, trial.seed))
        with console_process(address, folder) as (port, console):
            command = [
                sys.executable,
                "-m",
                "scrapy",
                "analysis",
                "run",
                "--follow",
                "-s",
                f"STORE={address}",
                "-s",
                f"DATA_DIR={folder}",
            ]
            with (folder / "analysis.log").open("wb") as log:
                analysis = subprocess.Popen(command, cwd=REPOSITORY, stdout=log, stderr=log)
            crawl.start()
            try:
                answers = asyncio.run(_read_all(trial, port, keys))
                peak = _peak(console.pid)
            finally:
                is_over.set()
                crawl.join()
                analysis.terminate()
                analysis.wait()
    slow = sorted((seconds, path) for seconds, path, _ in answers)
    failed = sorted({path for _, path, status in answers if status != 200})
    return outcome(
        f"{len(slow)} answers on {trial.pages:,} pages, half in {slow[len(slow) // 2][0]:.2f} s, the slowest in {slow[-1][0]:.2f} s "
        f"({slow[-1][1]}), {peak >> 20} MB at most",
        f"failed: {failed[:3]}" if failed else "",
        f"{sum(seconds > _MAX_SECONDS for seconds, _ in slow)} too slow" if slow[-1][0] > _MAX_SECONDS else "",
        "too much memory" if peak > _MAX_BYTES else "",
    )


def _write(store: Store, is_over: threading.Event, seed: int) -> None:
    for number in range(10_000):
        batch = list(made_rows(_WRITTEN_A_SECOND, seed=1_000 * seed + number))
        store.write(batch).result()
        store.write(waiting_rows([row["key"] for table, row in batch if table is PAGE_ROWS])).result()
        if is_over.wait(1.0):
            return


async def _read_all(trial: Trial, port: int, keys: list[str]) -> list[tuple[float, str, int]]:
    ends = time.monotonic() + trial.seconds
    chances = [random.Random(1_000 * trial.seed + person) for person in range(_PEOPLE)]
    found = await asyncio.gather(*(_person(chance, port, keys, ends) for chance in chances))
    return [answer for each in found for answer in each]


async def _person(chance: random.Random, port: int, keys: list[str], ends: float) -> list[tuple[float, str, int]]:
    answers = []
    await asyncio.sleep(chance.uniform(0, _PAUSE_SECONDS))
    while time.monotonic() < ends:
        path, began = _path(chance, keys), time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        answers.append((time.monotonic() - began, path, int(answer[9:12] or 0)))
        await asyncio.sleep(chance.uniform(0, 2 * _PAUSE_SECONDS))
    return answers


def _path(chance: random.Random, keys: list[str]) -> str:
    kind = chance.randrange(3)
    if kind == 0:
        return f"/articles?q={quote(' '.join(chance.sample(_WORDS, chance.randint(1, 3))))}"
    if kind == 1:
        return f"/articles/{chance.choice(keys)}"
    return chance.choice([page.path for page in PAGES if "{" not in page.path])


def _peak(process: int) -> int:
    """Bytes of resident memory at most."""
    status = Path(f"/proc/{process}/status").read_text() if os.path.exists(f"/proc/{process}/status") else ""
    return next((int(line.split()[1]) * 1_024 for line in status.splitlines() if line.startswith("VmHWM:")), 0)
