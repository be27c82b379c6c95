"""A site that bans addresses which ask too often, and a crawl of it through real proxies of which some die."""

import socket
import subprocess
import threading
import time
from collections import defaultdict
from http.server import ThreadingHTTPServer
from pathlib import Path

from testbed.crawling import Crawl
from testbed.local_server import AnsweringHandler

_SENTENCE = "A paragraph that tells what happened in town on day {0}, and what people said of it. "
GRACE_SECONDS = 0.5
"""Seconds for which requests that were on their way when the ban began do not count against us."""


class BanningSite:
    """Pages 0 … count-1, ten links each; more than `quota` requests of an address in `window` seconds ban it so long.

    With `forgets` False, after a number of requests, however slowly they come.
    """

    def __init__(self, count: int, quota: int, window: float, *, forgets: bool = True) -> None:
        self.count, self.quota, self.window, self._forgets = count, quota, window, forgets
        self.served: set[int] = set()
        self.direct = self.bans = self.too_early = 0
        self._asked: dict[str, list[float]] = defaultdict(list)
        self._banned: dict[str, float] = {}
        self._lock = threading.Lock()
        site = self

        class Handler(AnsweringHandler):
            def do_GET(self) -> None:
                site.answer(self)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, asked: AnsweringHandler) -> None:
        """A page, or a refusal."""
        if asked.path == "/robots.txt":
            asked.answer(status=404)
            return
        if self._refuses(asked.client_address[0]):
            asked.answer("<html><title>访问受限</title><body>您的访问过于频繁，请稍后再试。</body></html>", 403)
            return
        name = asked.path.strip("/")
        number = int(name) if name.isdigit() else 0
        if name and not name.isdigit():
            asked.answer(status=404)
            return
        self.served.add(number)
        children = range(number * 10 + 1, min(number * 10 + 11, self.count))
        links = "".join(f'<li><a href="/{child}">What happened on day {child}</a></li>' for child in children)
        text = f"<p>{_SENTENCE.format(number) * 8}</p>"
        asked.answer(
            f"<html><title>Day {number}</title><body><h1>Day {number}</h1>{text}<ul>{links}</ul></body></html>"
        )

    def _refuses(self, client: str) -> bool:
        with self._lock:
            now = time.monotonic()
            self.direct += client == "127.0.0.1"
            if self._banned.get(client, 0.0) > now:
                self.too_early += now > self._banned[client] - self.window + GRACE_SECONDS
                return True
            recent = [at for at in self._asked[client] if not self._forgets or at > now - self.window]
            self._asked[client] = [*recent, now]
            if len(recent) < self.quota:
                return False
            self.bans += 1
            self._banned[client] = now + self.window
            self._asked[client] = []
            return True


def start_proxy(folder: Path, number: int) -> tuple[subprocess.Popen[bytes], str]:
    """A tinyproxy whose requests come from 127.0.1.NUMBER; the process and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    path = folder / f"tinyproxy{number}.conf"
    path.write_text(
        f"Port {port}\nListen 127.0.0.1\nBind 127.0.1.{number}\nTimeout 30\nMaxClients 50\nAllow 127.0.0.1\nLogLevel Error\n"
        f'LogFile "{folder}/tinyproxy{number}.log"\n'
    )
    process = subprocess.Popen(
        ["tinyproxy", "-d", "-c", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            break
        except OSError:
            time.sleep(0.05)
    return process, f"127.0.0.1:{port}"


def crawl_banning_site(
    folder: Path, pages: int, quota: int, window: float, *, die_after: int, forgets: bool = True
) -> tuple[BanningSite, Crawl]:
    """Crawl the site through six proxies; two are killed once `die_after` pages were served."""
    site = BanningSite(pages, quota, window, forgets=forgets)
    proxies = [start_proxy(folder, number) for number in range(1, 7)]
    (folder / "sites").mkdir()
    (folder / "proxies.txt").write_text("\n".join(address for _, address in proxies))
    (folder / "sites" / "default.yaml").write_text("proxies: proxies.txt\nproxy_policy: round_robin\n")
    settings = {
        "TOPICRAWL_SETTINGS_DIR": folder, "ALLOW_PRIVATE_ADDRESSES": True, "BANS_ENABLED": True, "FRONTIER_HOST_DELAY": 0,
        "BAN_BACKOFF": window + 0.2, "PROXY_BACKOFF": 1, "TITLES_ENABLED": False,
    }  # fmt: skip
    crawl = Crawl(folder / "data", [f"{site.address}/"], settings=settings)
    try:
        process = crawl.start()
        while process.poll() is None and len(site.served) < die_after:
            time.sleep(0.05)
        for victim, _ in proxies[:2]:
            victim.kill()
        crawl.wait(process, 500)
    finally:
        for proxy, _ in proxies:
            proxy.kill()
            proxy.wait()
        site.server.shutdown()
        site.server.server_close()
    return site, crawl
