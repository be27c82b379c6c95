"""What a crawl tells Prometheus while it runs, and what the log says when it stalls."""

import contextlib
import urllib.request
from pathlib import Path

import pytest

from testbed.crawling import Crawl
from testbed.hostile.server import Connection, HostileWeb
from testbed.servers import free_port, wait_until
from tests.pipelines.stores.test_store_away import site


def stuck(connection: Connection) -> None:
    """From the sixth page on, nothing is answered."""
    if connection.path > "/6" and connection.path.endswith(".html"):
        connection.web.closing.wait(120)
    elif connection.path == "/3.html":
        connection.answer("not now", 503)
    else:
        site(connection)


def scraped(port: int) -> dict[str, float]:
    """Sample values by name and labels; nothing while nobody answers."""
    found = {}
    with contextlib.suppress(OSError):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.2:{port}/metrics", timeout=120) as answer:
            for line in answer.read().decode().splitlines():
                if not line.startswith("#"):
                    name, _, value = line.rpartition(" ")
                    found[name] = float(value)
    return found


@pytest.mark.slow
def test_metrics_of_a_crawl_that_stalls(tmp_path: Path) -> None:
    port = free_port()
    settings = {
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0.05,
        "METRICS_ADDRESS": "127.0.0.2",
        "METRICS_PORT": port,
        "STALL_SECONDS": 2,
    }
    with HostileWeb({"127.0.0.1": stuck}) as web:
        crawl = Crawl(tmp_path / "crawl", [f"http://127.0.0.1:{web.port}/"], settings=settings)
        process = crawl.start()
        try:
            wait_until(lambda: scraped(port).get("topicrawl_stalled") == 1.0, "noticing the stall")
            found = scraped(port)
        finally:
            process.kill()
            crawl.wait(process)
    assert found["topicrawl_items_total"] >= 5
    assert found["topicrawl_pages_total"] >= found["topicrawl_items_total"]
    assert found['topicrawl_answers_total{status="503"}'] >= 1
    assert found['topicrawl_errors_total{kind="attempt",stage="frontier"}'] >= 1
    assert found['topicrawl_requests{state="leased"}'] >= 1
    assert found['topicrawl_host_requests{host="127.0.0.1",state="leased"}'] >= 1
    assert found["topicrawl_download_seconds_count"] >= 5
    assert found["topicrawl_store_lag_seconds"] == 0.0
    assert "Nothing has been stored for" in crawl.log
