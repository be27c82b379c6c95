"""A real scrapyd, whose crawls run with the settings that are given."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from testbed.crawling import REPOSITORY
from testbed.servers import free_port, listens, wait_until


@contextmanager
def scrapyd_in(folder: Path, settings: Mapping[str, object], proxy: str = "") -> Iterator[str]:
    """Its address; what it keeps is in the folder. Crawls ask for pages through the proxy, if one is named."""
    port = free_port()
    lines = [f"{name} = {value!r}\n" for name, value in settings.items()]
    (folder / "node_settings.py").write_text("from settings.base import *\n" + "".join(lines), encoding="utf-8")
    (folder / "scrapyd.conf").write_text(f"[scrapyd]\nhttp_port = {port}\npoll_interval = 0.2\n", encoding="utf-8")
    (folder / "scrapy.cfg").write_text("[settings]\ntopicrawl = node_settings\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment["PYTHONPATH"] = os.pathsep.join((str(folder), str(REPOSITORY)))
    environment |= {"http_proxy": proxy} if proxy else {}
    with (folder / "scrapyd.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"], cwd=folder, env=environment, stdout=log, stderr=log
        )
    try:
        wait_until(lambda: listens(port) or process.poll() is not None, "starting scrapyd")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)
