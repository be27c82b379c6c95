"""A feed that a hub pushes reaches the process that watches, and its standby once that watches."""

import hashlib
import hmac
import signal
import threading
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pipelines.stores.tables import PAGES
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import SENTENCE
from testbed.servers import free_port
from tests.crawler.spiders.watching import watches


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


def test_a_feed_is_pushed_also_to_the_standby_that_goes_on(tmp_path: Path) -> None:
    hub, port, metrics, host = Hub(), free_port(), free_port(), "bright.example"
    listen = {"WATCH_WEBSUB_ADDRESS": f"http://127.0.0.1:{port}/hooks/", "WATCH_WEBSUB_LISTEN": f"127.0.0.1:{port}"}
    listen |= {"ALLOW_PRIVATE_ADDRESSES": "1"}
    with HostileWeb({host: Site(hub.address)}) as web, watches(tmp_path, (host,)) as running:
        try:
            holder = running.start("a", web, listen | {"METRICS_PORT": metrics})
            running.wait_for(lambda: hub.challenged)
            assert hub.challenged == ["c4"]
            assert hub.send(feed(host, range(901, 902), ""), secret="not the secret") == 202
            assert hub.send(feed(host, range(900, 901), "")) == 202
            assert fetch(f"http://127.0.0.1:{port}/hooks/nobody", b"x")[0] == 410
            assert fetch(f"http://127.0.0.1:{port}/hooks/nobody?hub.mode=subscribe&hub.challenge=1")[0] == 404
            assert fetch(hub.asked[-1]["hub.callback"], b"x" * 2_000_001)[0] in (0, 413)
            running.wait_for(lambda: running.row(PAGES, page(host, 900)))
            running.wait_for(lambda: delays(metrics).get(f'{{site="{host}"}}', 0) >= 1)
            running.start("b", web, listen)
            running.wait_for(lambda: "its standby" in running.log())
            holder.send_signal(signal.SIGINT)
            assert holder.wait(30) == 4
            running.wait_for(lambda: len(hub.challenged) == 2, 15)
            assert hub.send(feed(host, range(902, 903), "")) == 202
            running.wait_for(lambda: running.row(PAGES, page(host, 902)))
        finally:
            hub.shutdown()
            hub.server_close()
        assert not web.asked(host, f"/a/{1_000_901}.html")
        assert len(web.asked(host, f"/a/{1_000_900}.html")) <= 2
