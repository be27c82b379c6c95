"""Imports go one way: console → crawler → pipelines → extractors; nothing imports settings, benchmarks or tests."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("console", "crawler", "pipelines", "extractors")
ROOMS = {*LAYERS, "settings", "benchmarks", "tests"}
OUTSIDE_THE_CORE = {"scrapy", "scrapy_redis", "twisted", "pymongo", "redis", "sqlite3", "socket", "requests", "httpx"}


def imported_packages(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def allowed(room: str) -> set[str]:
    return set(LAYERS[LAYERS.index(room) :]) if room in LAYERS else {room}


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", [*LAYERS, "settings"])
def test_imports_go_down_only(room: str) -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(room)
        for name in imported_packages(path)
        if name in ROOMS - allowed(room)
    }
    assert not wrong


def test_the_core_knows_no_framework_database_or_network() -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("extractors")
        for name in imported_packages(path)
        if name in OUTSIDE_THE_CORE
    }
    assert not wrong
