"""Machine code is used when it fits what lies here, and only then."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from lxml import etree

from extractors import compiled

ROOT = Path(__file__).resolve().parents[3]
MAJOR = etree.LIBXML_VERSION[0]


@pytest.fixture(autouse=True)
def _looked_up_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(compiled.SWITCH, raising=False)
    monkeypatch.setattr(compiled, "state", compiled.state.__wrapped__)


def built(source: str, major: int) -> SimpleNamespace:
    return SimpleNamespace(source=lambda: source, libxml_major=lambda: major)


def test_what_was_built_from_these_sources_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    module = built(compiled.digest(), MAJOR)
    monkeypatch.setattr(compiled, "import_module", lambda name: module)
    assert compiled.state() == compiled.State(module, "")


@pytest.mark.parametrize(
    ("source", "major", "said"), [("older", MAJOR, "other sources"), (compiled.digest(), MAJOR + 1, "another libxml2")]
)
def test_what_does_not_fit_is_left(source: str, major: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "import_module", lambda name: built(source, major))
    found = compiled.state()
    assert found.module is None
    assert said in found.reason


@pytest.mark.parametrize("error", [ImportError("no such file"), OSError("wrong ELF class"), RuntimeWarning("size")])
def test_what_cannot_be_loaded_is_left(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> None:
        raise error

    monkeypatch.setattr(compiled, "import_module", fails)
    assert compiled.state().module is None
    assert str(error) in compiled.state().reason


def test_the_switch_turns_it_off() -> None:
    asks = "from extractors.compiled import state; print(state()); import extractors.page as p; print(p.Page(b'<p>x').columns.texts)"
    environment = os.environ | {compiled.SWITCH: "off"}
    done = subprocess.run([sys.executable, "-c", asks], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == [
        "State(module=None, reason='TOPICRAWL_COMPILED turns it off')",
        "['x']",
    ]
