"""Every command of both READMEs is run, against a small site on loopback, and every program of the guides to the library."""

import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from testbed.local_server import AnsweringHandler, serving

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "README.zh-CN.md")
PROGRAMS = ("docs/library.md", "docs/events.md")
PARAGRAPH = "<p>昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见，记者在现场看到许多市民。</p>"
ON_TAX = "<p>税务局开展税务稽查，查处偷税漏税，纳税人可以享受增值税和企业所得税的税收优惠，印花税的税率不变。</p>"
ENGINE = "url: http://engine.example/find?q={query}&p={page}\ndelay: 0\nhtml:\n  block: li\n  link: a[href]\n"


class Site(AnsweringHandler):
    """Three pages, whatever host is asked for, and a search engine that finds a fourth on two: it is used as a proxy."""

    def do_GET(self) -> None:  # the library's name
        path = "/" + self.path.split("/", 3)[-1] if "://" in self.path else self.path
        if path.startswith("/find?"):
            hosts = ("found.example", "copied.example") if "p=1" in path else ()
            found = "".join(f"<li><a href=http://{host}/tax.html>税务稽查的一篇文章</a></li>" for host in hosts)
            return self.answer(f"<html><title>find</title><ul>{found}</ul>没有找到相关结果</html>")
        if path not in ("/", "/a.html", "/b.html", "/tax.html"):
            self.send_error(404)
            return None
        links = "<a href=/a.html>第一篇文章的标题</a> <a href=/b.html>第二篇文章的标题</a>"
        title, text = ("税务局查处一批偷税漏税的纳税人", ON_TAX) if path == "/tax.html" else (path, PARAGRAPH)
        return self.answer(f"<html><title>{title}</title><h1>{title}</h1>{text * 4}{links}</html>")


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with serving(Site) as server:
        yield f"http://127.0.0.1:{server.server_port}"


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)


def commands(name: str) -> list[str]:
    return [line for block in blocks(name, "sh") for line in block.splitlines() if line]


def test_both_readmes_give_the_same_commands() -> None:
    assert commands("README.md") == commands("README.zh-CN.md")


def test_make_targets_exist() -> None:
    for command in (command for command in commands("README.md") if command.startswith("make")):
        done = subprocess.run(
            ["sh", "-c", f"{command} --dry-run"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_scrapy_commands_work_in_the_order_in_which_they_stand(proxy: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    topics = tmp_path / "settings" / "topics"
    topics.mkdir(parents=True)
    tax = (ROOT / "settings" / "topics" / "tax.yaml").read_text(encoding="utf-8")
    (topics / "tax.yaml").write_text(tax.replace("https://", "http://"), encoding="utf-8")
    (tmp_path / "settings" / "engines").mkdir()
    (tmp_path / "settings" / "engines" / "local.yaml").write_text(ENGINE, encoding="utf-8")
    environment |= {
        "http_proxy": proxy,
        "TOPICRAWL_SETTINGS_DIR": f"{tmp_path}/settings",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "TOPICRAWL_STORE": f"sqlite:///{tmp_path}/t.db",
    }
    for command in (command for command in commands("README.md") if command.startswith("scrapy")):
        words, _, target = command.replace("https://", "http://").partition(" > ")
        where = f" > {tmp_path / target.strip()}" if target else ""
        done = subprocess.run(
            ["sh", "-c", f"{words} -s DATA_DIR={tmp_path} -s FRONTIER_HOST_DELAY=0 -s METASEARCH_ENGINES=local{where}"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0 or "doctor" in command, f"{command}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, command
    tax = (tmp_path / "tax.csv").read_text(encoding="utf-8-sig")
    assert "found.example/tax.html" in tax
    assert "a.html" not in tax
    reposts = list(csv.DictReader((tmp_path / "reposts.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [row["verdict"] for row in reposts if row["url"].endswith("tax.html")] == ["original", "repost"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run(name: str) -> None:
    programs = blocks(name, "python")
    assert programs
    for program in programs:
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
