"""The compiled extension is used when it fits what lies here, and only then."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from extractors import kernels as compiled
from tests.extractors.records.engines import ENGINES
from tests.extractors.records.engines.content import posts

ROOT = Path(__file__).resolve().parents[3]
IN_USE = compiled.state()


@pytest.fixture(autouse=True)
def _looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(compiled.SWITCH, raising=False)
    monkeypatch.setattr(compiled, "state", compiled.state.__wrapped__)


def built(source: str) -> SimpleNamespace:
    return SimpleNamespace(source=lambda: source)


def test_what_was_built_from_these_sources_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    module = built(compiled.digest())
    monkeypatch.setattr(compiled, "load", lambda: module)
    assert compiled.state() == compiled.ExtensionState(module, "")


def test_what_was_built_from_other_sources_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "load", lambda: built("older"))
    found = compiled.state()
    assert found.module is None
    assert "other sources" in found.reason


@pytest.mark.parametrize("error", [ImportError("no such file"), OSError("wrong ELF class"), RuntimeWarning("size")])
def test_what_cannot_be_loaded_is_left(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise error

    monkeypatch.setattr(compiled, "load", fails)
    assert compiled.state().module is None
    assert str(error) in compiled.state().reason


def zipped(folder: Path) -> Path:
    """The package as a node has it: in a zip."""
    egg = folder / "topicrawl.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for path in sorted((ROOT / "extractors").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(ROOT))
    return egg


@pytest.mark.skipif(IN_USE.module is None, reason=f"the compiled extension is not in use: {IN_USE.reason}")
def test_a_zipped_egg_brings_its_own(tmp_path: Path) -> None:
    asks = "from extractors.kernels import state; print(state().reason or 'in use', state().module.source())"
    environment = os.environ | {"PYTHONPATH": str(zipped(tmp_path)), "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", asks], cwd=tmp_path, env=environment, capture_output=True, check=False, text=True
    )
    assert done.stdout.split() == ["in", "use", compiled.digest()], done.stderr


def test_the_switch_turns_it_off() -> None:
    asks = "from extractors.kernels import state; print(state()); import extractors.page as p; print(p.Page(b'<p>x').columns.texts)"
    environment = os.environ | {compiled.SWITCH: "off"}
    done = subprocess.run([sys.executable, "-c", asks], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == [
        "ExtensionState(module=None, reason='TOPICRAWL_COMPILED turns it off')",
        "['x']",
    ]


READS = """
import json, sys
from extractors.page import Page
for body in sys.stdin.buffer.read().split(b"\\0"):
    page = Page(body, "http://a.example/t/1.html")
    found = page.article.text, page.article.title, [record.text for record in page.records.records], [link.url for link in page.links]
    print(json.dumps(found))
"""


def test_pages_are_read_the_same_without_it() -> None:
    """Both runs are processes of their own: a function is bound when its module is imported."""
    pages = "\0".join(build(posts(1)) for build, *_ in ENGINES.values()).encode()
    done = [
        subprocess.run(
            [sys.executable, "-c", READS], input=pages, cwd=ROOT, env=environment, capture_output=True, check=True
        )
        for environment in (dict(os.environ), os.environ | {compiled.SWITCH: "off"})
    ]
    assert done[0].stdout.count(b"\n") == len(ENGINES)
    assert done[0].stdout == done[1].stdout
