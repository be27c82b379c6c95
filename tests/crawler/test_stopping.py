"""Ctrl-C before the first request ends a crawl in order, and a command that is being loaded in a sentence."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler

from crawler.exit_status import ExitCode
from pipelines.stores.tables import RUNS
from testbed.crawling import REPOSITORY, Crawl


class InterruptsOpening:
    """An extension that presses Ctrl-C when the crawl is not yet open."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        crawler.signals.connect(extension.interrupt, signals.spider_opened)
        return extension

    async def interrupt(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.3)  # the reactor asks the crawl to stop meanwhile


def test_a_crawl_that_is_stopped_while_it_opens(tmp_path: Path) -> None:
    name = f"{__name__}.{InterruptsOpening.__qualname__}"
    crawl = Crawl(tmp_path, ["http://never.example/"], settings={"EXTENSIONS": json.dumps({name: 0})}).run(60)
    assert crawl.exit_code == ExitCode.INCOMPLETE
    assert "Ending: shutdown (exit code 4). Stopped; the same command continues" in crawl.log
    assert not [line for line in crawl.errors if "Ending: shutdown" not in line]
    with crawl.store() as store:
        assert [row["state"] for row in store.select(RUNS)] == ["left"]


def test_a_command_that_is_interrupted_while_it_is_loaded() -> None:
    code = "import console.commands, os, signal; os.kill(os.getpid(), signal.SIGINT)"
    ended = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, "Stopped by Ctrl-C.\n")
