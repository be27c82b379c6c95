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
TOUR = "docs/contributing-tour.md"
PROGRAMS = ("docs/library.md", "docs/events.md")
PARAGRAPH = "<p>昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见，记者在现场看到许多市民。</p>"
ON_TAX = "<p>税务局开展税务稽查，查处偷税漏税，纳税人可以享受增值税和企业所得税的税收优惠，印花税的税率不变。</p>"
ENGINE = "url: http://engine.example/find?q={query}&p={page}\ndelay: 0\nhtml: li\nfields:\n  url: a[href]\n"


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


def test_make_help_has_a_line_for_every_target() -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]\w*):", makefile, re.M)
    assert sorted(line.split()[1] for line in done.stdout.splitlines()) == sorted(targets)
    assert sorted(re.findall(r"^\.PHONY: (.*)$", makefile, re.M)[0].split()) == sorted(targets)


def test_make_targets_exist() -> None:
    for command in (command for command in commands("README.md") if command.startswith("make")):
        done = subprocess.run(
            ["sh", "-c", f"{command} --dry-run"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def outcome(command: str, folder: Path, proxy: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The end of a shell command whose data are in a folder, and whose web is the proxy."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment |= {
        "http_proxy": proxy,
        "TOPICRAWL_SETTINGS_DIR": f"{folder}/settings",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "TOPICRAWL_STORE": f"sqlite:///{folder}/t.db",
    }
    words, _, target = command.replace("https://", "http://").partition(" > ")
    options = (
        f" -s DATA_DIR={folder} -s FRONTIER_HOST_DELAY=0 -s METASEARCH_ENGINES=local" if "scrapy " in words else ""
    )
    where = f" > {folder / target.strip()}" if target else ""
    return subprocess.run(
        ["sh", "-c", f"{words}{options}{where}"],
        cwd=ROOT,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_scrapy_commands_work_in_the_order_in_which_they_stand(proxy: str, tmp_path: Path) -> None:
    topics = tmp_path / "settings" / "topics"
    topics.mkdir(parents=True)
    tax = (ROOT / "settings" / "topics" / "tax.yaml").read_text(encoding="utf-8")
    (topics / "tax.yaml").write_text(tax.replace("https://", "http://"), encoding="utf-8")
    (tmp_path / "settings" / "engines").mkdir()
    (tmp_path / "settings" / "engines" / "local.yaml").write_text(ENGINE, encoding="utf-8")
    for command in (command for command in commands("README.md") if command.startswith("scrapy")):
        done = outcome(command, tmp_path, proxy)
        assert done.returncode == 0 or "doctor" in command, f"{command}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, command
    tax = (tmp_path / "tax.csv").read_text(encoding="utf-8-sig")
    assert "found.example/tax.html" in tax
    assert "a.html" not in tax
    reposts = list(csv.DictReader((tmp_path / "reposts.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [row["verdict"] for row in reposts if row["url"].endswith("tax.html")] == ["original", "repost"]


def test_commands_of_the_tour_work(proxy: str, tmp_path: Path) -> None:
    (typed,) = blocks(TOUR, "pdb")
    for command in commands(TOUR):
        debugs = "pdb" in command
        done = outcome(command, tmp_path, proxy, typed if debugs else "")
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert ("'http://some.site/'" in done.stdout and "'/'" in done.stdout) or not debugs, done.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run(name: str) -> None:
    """A comment behind `print(…)` is what the line prints."""
    programs = blocks(name, "python")
    assert programs
    for program in programs:
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        shown = re.findall(r"^print\(.*\)  # (.+)$", program, re.M)
        assert not shown or done.stdout.splitlines() == shown
