"""`scrapy proxies` as users call it, against real proxies; and what judges of every kind say."""

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from crawler.proxies.judge import JudgeServer, exit_address, secrecy_of
from testbed.banning_site import start_proxy
from testbed.crawling import REPOSITORY
from testbed.servers import free_port

_OURS = '{"address": "9.8.7.6", "headers": {"Host": "j", "Via": "1.1 x", "X-Forwarded-For": "1.2.3.4"}}'


@pytest.mark.parametrize(
    ("answer", "address", "secrecy"),
    [
        (_OURS, "9.8.7.6", "leaks our address"),
        (_OURS.replace("1.2.3.4", "unknown"), "9.8.7.6", "reveals that it is a proxy"),
        ('{"origin": "5.5.5.5, 9.8.7.6", "headers": {"Accept": "*/*"}}', "9.8.7.6", "anonymous"),
        ("<pre>REMOTE_ADDR = 9.8.7.6\nHTTP_ACCEPT = via telegraph\n</pre>", "9.8.7.6", "anonymous"),
        ("<pre>REMOTE_ADDR = 9.8.7.6\nHTTP_VIA = squid\n</pre>", "9.8.7.6", "reveals that it is a proxy"),
        ("HTTP_X_FORWARDED_FOR = 1.2.3.4\nREMOTE_ADDR = 9.8.7.6", "9.8.7.6", "leaks our address"),
        ("Your address is 9.8.7.6.", "9.8.7.6", "anonymous"),
        ("9.8.7.6 and 11.2.3.40, 1.2.3.45", "9.8.7.6", "anonymous"),
        ("nothing", "", "anonymous"),
    ],
)
def test_what_a_judge_says(answer: str, address: str, secrecy: str) -> None:
    assert exit_address(answer) == address
    assert secrecy_of(answer, {"1.2.3.4", ""}) == secrecy


def _proxies(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "proxies", *words]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(not shutil.which("tinyproxy"), reason="tinyproxy is not installed")
def test_proxies_are_tried_against_a_judge_of_ours(tmp_path: Path) -> None:
    server = JudgeServer("127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    started = [start_proxy(tmp_path, number) for number in (1, 2)]
    dead = f"127.0.0.1:{free_port()}"
    listed = tmp_path / "some.txt"
    listed.write_text("\n".join([*(address for _, address in started), f"http://me:geheim@{dead}"]))
    try:
        judge = f"http://127.0.0.1:{server.server_port}/"
        done = _proxies("test", str(listed), "--judge", judge, "--json")
        by_setting = _proxies("test", str(listed), "--json", "-s", f"PROXY_JUDGE={judge}")
    finally:
        for process, _ in started:
            process.kill()
            process.wait()
        server.shutdown()
        server.server_close()
    verdicts = json.loads(done.stdout)
    assert [verdict["works"] for verdict in json.loads(by_setting.stdout)] == [True, True, False]
    assert [verdict["exit_address"] for verdict in verdicts] == ["127.0.1.1", "127.0.1.2", ""]
    assert [verdict["works"] for verdict in verdicts] == [True, True, False]
    assert verdicts[0]["secrecy"] == "reveals that it is a proxy"
    assert 0 < verdicts[0]["seconds"] < 15
    assert verdicts[2]["said"] == "refuses connections"
    assert done.returncode == 1
    assert "geheim" not in done.stdout + done.stderr
