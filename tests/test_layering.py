"""Imports go one way, without circles: console → analysis → crawler → pipelines → extractors.

Every import counts: those inside functions and those under TYPE_CHECKING too. Nothing of the product imports settings, testbed,
benchmarks or tests.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("console", "analysis", "crawler", "pipelines", "extractors")
ROOMS = {*LAYERS, "settings", "testbed", "benchmarks", "tests"}
OUTSIDE_THE_CORE = {"scrapy", "scrapy_redis", "twisted", "pymongo", "redis", "sqlite3", "socket", "requests", "httpx"}
Graph = dict[str, set[str]]


def modules(root: Path, rooms: tuple[str, ...] = (*LAYERS, "settings")) -> dict[str, Path]:
    """Files of Python by their module's name; a package goes by its own name."""
    files = (path for room in rooms for path in sorted((root / room).rglob("*.py")))
    return {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def imported(name: str, path: Path) -> Iterator[str]:
    """What a module imports, by full names; of `from a import b` both a and a.b."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def import_graph(root: Path) -> Graph:
    """Each module with those of ours that it imports; `from package import module` is an import of the module."""
    known = modules(root)
    graph: Graph = {}
    for name, path in known.items():
        found = {target for target in imported(name, path) if target in known}
        inner = {target.rpartition(".")[0] for target in found}
        graph[name] = {
            target for target in found if target != name and not (target in inner and _is_empty(known[target]))
        }
    return graph


def _is_empty(path: Path) -> bool:
    """Whether a package only has a sentence and names modules."""
    rest = ast.parse(path.read_text(encoding="utf-8")).body[1:]
    return all(isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__" for node in rest)


def children(graph: Graph, package: str) -> Graph:
    """The imports between a package's children: its modules, and its packages each as one."""
    depth = len(package.split(".")) + 1
    found: Graph = {}
    for name, targets in graph.items():
        if name.startswith(f"{package}."):
            child = ".".join(name.split(".")[:depth])
            others = {".".join(each.split(".")[:depth]) for each in targets if each.startswith(f"{package}.")}
            found.setdefault(child, set()).update(others - {child})
    return found


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """A way along imports from a module back to itself, empty if there is none."""
    done: set[str] = set()
    for start in sorted(graph):
        way = [start]
        open_ends = [iter(sorted(graph[start]))]
        while open_ends:
            target = next(open_ends[-1], None)
            if target is None:
                open_ends.pop()
                done.add(way.pop())
            elif target in way:
                return [*way[way.index(target) :], target]
            elif target not in done:
                way.append(target)
                open_ends.append(iter(sorted(graph.get(target, ()))))
    return []


def circles(root: Path) -> list[str]:
    """A sentence for the first circle between files, and for the first between the children of each package."""
    graph = import_graph(root)
    found = [f"files: {' → '.join(way)}"] if (way := circle(graph)) else []
    packages = sorted(name for name, path in modules(root).items() if path.name == "__init__.py")
    rooms = dict.fromkeys([*(name.split(".")[0] for name in graph), *packages])
    within = ((package, circle(children(graph, package))) for package in rooms)
    return [*found, *(f"in {package}: {' → '.join(way)}" for package, way in within if way)]


def wrong_layers(root: Path) -> list[str]:
    """A sentence for each import that goes up."""
    allowed = {room: set(LAYERS[LAYERS.index(room) :]) if room in LAYERS else {room} for room in (*LAYERS, "settings")}
    return [
        f"{path.relative_to(root)} imports {target}"
        for name, path in modules(root).items()
        for target in sorted(set(imported(name, path)))
        if target.split(".")[0] in ROOMS - allowed[name.split(".")[0]]
    ]


def test_imports_go_down_only() -> None:
    assert wrong_layers(ROOT) == []


def test_imports_go_in_no_circles() -> None:
    assert circles(ROOT) == []


@pytest.mark.parametrize(
    ("room", "others"), [("tests", {"benchmarks"}), ("benchmarks", {"tests"}), ("testbed", {"benchmarks", "tests"})]
)
def test_tests_and_benchmarks_share_the_testbed_only(room: str, others: set[str]) -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {target}"
        for name, path in modules(ROOT, (room,)).items()
        for target in imported(name, path)
        if target.split(".")[0] in others
    }
    assert not wrong


def test_the_core_knows_no_framework_database_or_network() -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {target}"
        for name, path in modules(ROOT, ("extractors",)).items()
        for target in imported(name, path)
        if target.split(".")[0] in OUTSIDE_THE_CORE
    }
    assert not wrong


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"crawler/a.py": "from crawler import b", "crawler/b.py": "import crawler.a"}, "files: crawler.a → crawler.b"),
        ({"crawler/a.py": "def f():\n    import crawler.b", "crawler/b.py": "from crawler.a import f"}, "files: crawler.a"),
        ({"crawler/a.py": "if TYPE_CHECKING:\n    from .b import B", "crawler/b.py": "from .a import f"}, "files: crawler.a"),
        (
            {"crawler/x/a.py": "import crawler.y.b", "crawler/y/b.py": "", "crawler/y/c.py": "import crawler.x.d", "crawler/x/d.py": ""},
            "in crawler: crawler.x → crawler.y → crawler.x",
        ),
    ],
    ids=["load", "function", "type", "rooms"],
)  # fmt: skip
def test_a_planted_circle_is_named(tmp_path: Path, files: dict[str, str], said: str) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for folder in {tmp_path / name for name in files}:
        (folder.parent / "__init__.py").touch()
    (tmp_path / "crawler" / "__init__.py").touch()
    assert any(sentence.startswith(said) for sentence in circles(tmp_path)), circles(tmp_path)


def test_a_planted_import_upwards_is_named(tmp_path: Path) -> None:
    for name, text in {"pipelines/a.py": "from crawler.b import c", "analysis/d.py": "import settings.base"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    assert wrong_layers(tmp_path) == [
        "analysis/d.py imports settings.base",
        "pipelines/a.py imports crawler.b",
        "pipelines/a.py imports crawler.b.c",
    ]
