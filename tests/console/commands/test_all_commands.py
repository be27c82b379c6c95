"""Scrapy finds the commands of every room."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import console.commands
from testbed.crawling import REPOSITORY

ROOMS = ("console", "analysis", "crawler")
LIST = "from scrapy.utils.misc import walk_modules_iter as walk; print(*(m.__name__ for m in walk('console.commands')))"


def of_rooms() -> set[str]:
    return {path.stem for room in ROOMS for path in (REPOSITORY / room / "commands").glob("[!_]*.py")}


def test_commands_of_all_rooms_are_listed() -> None:
    done = subprocess.run([sys.executable, "-m", "scrapy"], cwd=REPOSITORY, capture_output=True, timeout=60, check=True)
    listed = {line.split()[0] for line in done.stdout.decode().splitlines() if line.startswith("  ") and line.split()}
    assert of_rooms() <= listed
    assert {"analysis", "export"} <= of_rooms()


def test_no_two_rooms_have_a_command_of_one_name() -> None:
    names = [path.stem for room in ROOMS for path in (REPOSITORY / room / "commands").glob("[!_]*.py")]
    assert len(names) == len(set(names))
    assert len(list(console.commands.__path__)) == len(ROOMS)


def test_commands_are_found_in_a_zipped_egg(tmp_path: Path) -> None:
    egg = tmp_path / "project.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for room in (*ROOMS, "pipelines", "extractors"):
            for path in (REPOSITORY / room).rglob("*"):
                if path.is_file() and path.suffix != ".so" and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(REPOSITORY))
    done = subprocess.run([sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(egg)!r}); {LIST}"],
                          cwd=tmp_path, capture_output=True, timeout=60)  # fmt: skip
    assert not done.stderr
    names = {name.rpartition(".")[2] for name in done.stdout.decode().split()[1:]}
    assert {name for name in names if not name.startswith("_")} == of_rooms()


@pytest.mark.parametrize("words", [["analysis", "read", "x"]])
def test_outside_the_project_a_command_of_a_room_says_where_it_works(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "scrapy", *words], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert "this command works in" in done.stderr.decode()
