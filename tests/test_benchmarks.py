"""Every benchmark can be imported, and those that are commands answer --help."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"


def runs_when_imported(source: str) -> bool:
    """Whether a file is a script alone, which acts as soon as it is read."""
    return any(isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) for node in ast.parse(source).body)


SOURCES = {
    ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts): path.read_text("utf-8")
    for path in sorted(FOLDER.rglob("*.py"))
    if path.name not in ("__init__.py", "__main__.py")
}
MODULES = [name for name, source in SOURCES.items() if not runs_when_imported(source)]
COMMANDS = [name for name in MODULES if "__main__" in SOURCES[name]]


class _Peer(ModuleType):
    """Stands for a package of the extra `bench` that is not installed: whatever is imported from it is a class."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _Peers(MetaPathFinder, Loader):
    """Finds packages of the extra `bench`, and those that come with the engines, where nothing else has found them."""

    packages = frozenset(("babel", "catboost", "apted", "rapidfuzz", "extruct"))
    of_engines = frozenset(("django",))

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return (
            ModuleSpec(name, self, is_package=True)
            if name.partition(".")[0] in self.packages | self.of_engines
            else None
        )

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Peer(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """It has no code."""


@pytest.fixture(autouse=True)
def _without_peers() -> Iterator[None]:
    """Benchmarks import peers that only `.[bench]` installs; what a benchmark says of itself does not need them."""
    peers, before = _Peers(), set(sys.modules)
    sys.meta_path.append(peers)
    yield
    sys.meta_path.remove(peers)
    for name in set(sys.modules) - before:
        if isinstance(sys.modules[name], _Peer) or name.startswith("benchmarks"):
            del sys.modules[name]


def test_peers_that_may_be_missing_are_those_of_the_extra() -> None:
    extra = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {re.split(r"[<>=\[]", peer)[0] for peer in extra["bench"]} >= _Peers.packages


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_can_be_imported(name: str) -> None:
    assert import_module(name).__doc__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_benchmark_explains_itself(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        import_module(name).main()
    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out


def test_modules_are_public_that_faces_name_or_others_reach_into(tmp_path: Path) -> None:
    files = {
        "crawler/__init__.py": "__all__ = ['frontier', 'meta']",
        "crawler/meta.py": "",
        "crawler/hidden.py": "",
        "crawler/links/__init__.py": "",
        "crawler/frontier/__init__.py": "__all__ = ['opening']",
        "crawler/frontier/opening.py": "from crawler.frontier import rows",
        "crawler/frontier/rows.py": "",
        "crawler/frontier/lanes.py": "",
        "analysis/step.py": "from crawler.frontier.lanes import Lane",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    house = import_module("benchmarks.house").House(tmp_path)
    assert house.public_modules() == len(house.python) - len(
        ["crawler.hidden", "crawler.links", "crawler.frontier.rows"]
    )
