"""A watch on two nodes as processes, over one Redis and one store: a feed that a hub pushes, and a node that is killed."""

import hashlib
import hmac
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from tests.crawling import REPOSITORY
from tests.hostile import Connection, HostileWeb
from tests.hostile.behaviours import SENTENCE
from tests.servers import free_port

HOSTS = ("bright.example", "calm.example")


class Hub(ThreadingHTTPServer):
    """Verifies each subscription at once, and sends what a test publishes."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _HubRequest)
        self.asked: list[dict[str, str]] = []
        self.challenged: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def verify(self, form: dict[str, str]) -> None:
        said = {
            "hub.mode": "subscribe",
            "hub.topic": form["hub.topic"],
            "hub.challenge": "c4",
            "hub.lease_seconds": "864000",
        }
        self.challenged.append(fetch(f"{form['hub.callback']}?{urllib.parse.urlencode(said)}")[1])

    def send(self, body: bytes, secret: str = "") -> int:
        form = self.asked[-1]
        digest = hmac.new((secret or form["hub.secret"]).encode(), body, hashlib.sha256).hexdigest()
        return fetch(form["hub.callback"], body, {"X-Hub-Signature": f"sha256={digest}"})[0]


class _HubRequest(BaseHTTPRequestHandler):
    server: Hub

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = dict(urllib.parse.parse_qsl(said))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.server.asked.append(form)
        threading.Thread(target=self.server.verify, args=(form,), daemon=True).start()

    def log_message(self, format: str, *args: object) -> None:
        return


def fetch(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Status and text; 0 if the server closed the connection, as it may while a body that is too large is sent."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(url, body, headers or {}), timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, ""
    except (urllib.error.URLError, ConnectionError):
        return 0, ""


class Site:
    """A home list that grows, and a feed that is pushed."""

    def __init__(self, hub: str) -> None:
        self.newest, self._hub = 8, hub

    def __call__(self, asked: Connection) -> None:
        if asked.path == "/":
            rows = "".join(
                f'<li><a href="/a/{1_000_000 + n}.html">本市今天公布第{n}项重点工程的进展情况</a></li>'
                for n in range(self.newest, 0, -1)
            )
            asked.answer(f"<title>首页</title><ul>{rows}</ul>")
        elif asked.path == "/feed/":
            asked.answer(feed(asked.host, range(self.newest, 0, -1), self._hub), Content_Type="application/atom+xml")
        elif asked.path.startswith("/a/"):
            asked.answer(f"<title>{asked.path}</title><h1>第{asked.path}项工程</h1><p>{asked.path}{SENTENCE * 5}</p>")
        else:
            asked.answer("<h1>404</h1>", status=404)


def feed(host: str, numbers: range, hub: str) -> bytes:
    entries = "".join(f'<entry><link href="{page(host, number)}"/></entry>' for number in numbers)
    links = f'<link rel="hub" href="{hub}"/><link rel="self" href="http://{host}/feed/"/>'
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{links}{entries}</feed>'.encode()


def page(host: str, number: int) -> str:
    return f"http://{host}/a/{1_000_000 + number}.html"


def delays(port: int) -> dict[str, float]:
    """By site how many new pages the metrics count."""
    name = "topicrawl_watch_delay_seconds_count"
    lines = [line for line in fetch(f"http://127.0.0.1:{port}/metrics")[1].splitlines() if line.startswith(name)]
    return {line.removeprefix(name).rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


class Nodes:
    def __init__(self, folder: Path, redis: str, web: HostileWeb) -> None:
        self.folder, self._redis, self._web = folder, redis, web
        (folder / "sites.txt").write_text("".join(f"http://{host}/\n" for host in HOSTS))

    def start(self, name: str, **more: object) -> "subprocess.Popen[bytes]":
        values = {"DATA_DIR": self.folder, "FRONTIER": "shared", "REDIS_URL": self._redis, "WATCH_CLOCK_SPEED": 360}
        values |= {"STORE": f"sqlite:///{self.folder / 'watch.db'}", "TITLES_ENABLED": False, "FRONTIER_HOST_DELAY": 0}
        values |= {"WATCH_REQUESTS_PER_HOUR": 100, "ALLOW_PRIVATE_ADDRESSES": True, "RETRY_DELAY": 0.1} | more
        command = [sys.executable, "-m", "scrapy", "crawl", "watch", "-a", f"sites={self.folder / 'sites.txt'}"]
        command += [word for name_, value in values.items() for word in ("-s", f"{name_}={value}")]
        environment = os.environ | {"http_proxy": self._web.address, "no_proxy": "127.0.0.1"}
        with (self.folder / name).open("ab") as log:
            return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)

    def log(self, name: str) -> str:
        return (self.folder / name).read_text(errors="replace")

    def wait_for(self, condition: Callable[[], object], seconds: float = 90.0) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "".join(
                map(self.log, ("a", "b") if (self.folder / "b").exists() else ("a",))
            )
            time.sleep(0.1)

    def has(self, url: str) -> bool:
        store = open_store(f"sqlite:///{self.folder / 'watch.db'}")
        try:
            return any(row["url"] == url for row in store.select(PAGES, columns=("key", "url")))
        finally:
            store.close()


def test_a_feed_is_pushed_and_another_node_goes_on_after_a_kill(tmp_path: Path, redis_url: str) -> None:
    hub, port, metrics = Hub(), free_port(), free_port()
    sites = {host: Site(hub.address) for host in HOSTS}
    with HostileWeb(dict(sites)) as web:
        nodes = Nodes(tmp_path, redis_url, web)
        listen = {"WATCH_WEBSUB_ADDRESS": f"http://127.0.0.1:{port}/hooks/", "WATCH_WEBSUB_LISTEN": f"127.0.0.1:{port}"}
        running = [nodes.start("a", METRICS_PORT=metrics, **listen)]
        try:
            nodes.wait_for(lambda: len(hub.challenged) == len(HOSTS))
            assert hub.challenged == ["c4"] * len(HOSTS)
            host = urllib.parse.urlsplit(hub.asked[-1]["hub.topic"]).hostname or ""
            assert hub.send(feed(host, range(901, 902), ""), secret="not the secret") == 202
            assert hub.send(feed(host, range(900, 901), "")) == 202
            assert fetch(f"http://127.0.0.1:{port}/hooks/nobody", b"x")[0] == 410
            assert fetch(f"http://127.0.0.1:{port}/hooks/nobody?hub.mode=subscribe&hub.challenge=1")[0] == 404
            assert fetch(hub.asked[-1]["hub.callback"], b"x" * 2_000_001)[0] in (0, 413)
            nodes.wait_for(lambda: nodes.has(page(host, 900)))
            nodes.wait_for(lambda: delays(metrics).get(f'{{site="{host}"}}', 0) >= 1)
            running.append(nodes.start("b", METRICS_PORT=0))
            nodes.wait_for(lambda: "has 2 nodes" in nodes.log("b"))
            running[0].kill()
            running[0].wait()
            for site in sites.values():
                site.newest += 1
            nodes.wait_for(lambda: all(nodes.has(page(host, 9)) for host in HOSTS))
        finally:
            for process in running:
                process.kill()
                process.wait()
            hub.shutdown()
            hub.server_close()
        assert not web.asked(host, f"/a/{1_000_901}.html")
        assert len(web.asked(host, f"/a/{1_000_900}.html")) <= 2
    assert "Traceback" not in nodes.log("a") + nodes.log("b")
