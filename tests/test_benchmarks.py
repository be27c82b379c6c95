"""Every benchmark can be imported, and those that are commands answer --help."""

import ast
import sys
from importlib import import_module
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


def imported(name: str) -> ModuleType:
    """A module; the test is skipped where a package of the extra `bench` is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("benchmarks", "crawler", "extractors", "pipelines", "settings"):
            raise
        pytest.skip(f"needs {error.name}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_can_be_imported(name: str) -> None:
    assert imported(name).__doc__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_benchmark_explains_itself(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        imported(name).main()
    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out
