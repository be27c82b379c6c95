"""How a checkout is built, in numbers: size, import circles, branches on compiled code, dependencies.

    python -m benchmarks.house                   this checkout
    python -m benchmarks.house BEFORE [AFTER]    two folders or commits side by side

Circles are counted with every import: inside functions and under TYPE_CHECKING too. A level circle is one between the
children of a package, each child taken as one. A module is public if each package above it names it in `__all__`, has no
`__all__`, or is reached into from outside all the same.
"""

import argparse
import ast
import re
import subprocess
import tarfile
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

PRODUCT = ("console", "analysis", "crawler", "pipelines", "extractors", "settings")
SOURCES = (".py", ".pyx", ".pxi", ".lua", ".js")
MAX_FUNCTION_LINES, MAX_MODULE_LINES = 40, 300
_BRANCH = re.compile(r"\bnative\(\)|\bstate\(\)\.module\b|\bcompiled\(\)")
_NAME = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b")
_VAGUE = re.compile(
    r"^_?(?:LONGEST|SHORTEST|MOST|FEW|FEWEST|MANY|LEAST|SURE|NEAR|FAR|LARGE|SMALL|ENOUGH|HIGH|LOW)\b.* = ", re.M
)
"""Adjectives without a quantity."""
_ANY = re.compile(r"\bAny\b")
Graph = dict[str, set[str]]


@dataclass(frozen=True)
class House:
    """The product's files in one folder."""

    root: Path

    @cached_property
    def texts(self) -> dict[Path, str]:
        """Every source file, relative to the folder, with its text."""
        files = (path for room in PRODUCT for path in sorted((self.root / room).rglob("*")) if path.suffix in SOURCES)
        return {path.relative_to(self.root): path.read_text(encoding="utf-8") for path in files}

    @cached_property
    def python(self) -> dict[Path, str]:
        """Those in Python."""
        return {path: text for path, text in self.texts.items() if path.suffix == ".py"}

    @cached_property
    def graph(self) -> Graph:
        """Each module with the modules of ours that it imports; packages go by their own name."""
        known = {_module(path): path for path in self.python}
        graph: Graph = {}
        for name, path in known.items():
            graph[name] = set(_imported(name, path, self.python[path], known.keys())) - {name}
        return graph

    def functions(self) -> list[int]:
        """Lines of each function, with its decorators and docstring."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        nodes = (node for text in self.python.values() for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
        return [(node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes]

    def level_circles(self) -> int:
        """Circles between the children of a package, over all packages."""
        packages = {_module(path) for path in self.python if path.name == "__init__.py"} | set(PRODUCT)
        return sum(len(circles(_children(self.graph, package))) for package in packages)

    def top_modules(self, room: str) -> str:
        """Modules and packages directly below a room."""
        modules = [path for path in self.python if path.parent == Path(room) and path.name != "__init__.py"]
        packages = {path.parts[1] for path in self.python if path.parts[0] == room and len(path.parts) > 2}
        return f"{len(modules)} + {len(packages)}"

    def dependencies(self) -> str:
        """Required packages, and optional ones without those for tests and benchmarks."""
        project = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        extras = project.get("optional-dependencies", {})
        optional = {text for name, texts in extras.items() if name not in ("test", "bench") for text in texts}
        return f"{len(project['dependencies'])} + {len(optional)}"

    def repeated_names(self, room: str) -> int:
        """File names that occur more than once in a room, `__init__.py` aside."""
        names = Counter(path.name for path in self.python if path.parts[0] == room and path.name != "__init__.py")
        return sum(count > 1 for count in names.values())

    def lines_of(self, room: str) -> int:
        """Lines of Python in a room beside the product."""
        return sum(path.read_text(encoding="utf-8").count("\n") for path in (self.root / room).rglob("*.py"))

    def settings(self) -> set[str]:
        """Names that `settings/*.py` assigns."""
        trees = (ast.parse(text) for path, text in self.python.items() if path.parts[0] == "settings")
        return {
            target.id
            for tree in trees
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name) and target.id.isupper() and not target.id.startswith("_")
        }

    def unnamed_settings(self, room: str, ending: str) -> int:
        """Settings that no file of a folder names."""
        text = "".join(path.read_text(encoding="utf-8") for path in (self.root / room).rglob(f"*{ending}"))
        return len(self.settings() - set(_NAME.findall(text)))

    def public_modules(self) -> int:
        """Modules that others than those of their own package may use, packages among them."""
        packages = {_module(path): text for path, text in self.python.items() if path.name == "__init__.py"}
        hidden = {f"{package}.{name}" for package, text in packages.items() for name in self._hidden(package, text)}
        return sum(not any(_is_in(name, other) for other in hidden) for name in self.graph)

    def _hidden(self, package: str, text: str) -> set[str]:
        named = _named(text)
        if named is None:
            return set()
        used = {each for name, targets in self.graph.items() if not _is_in(name, package) for each in targets}
        inside = [name for name in self.graph if name.startswith(f"{package}.")]
        children = {name.removeprefix(f"{package}.").split(".")[0] for name in inside}
        return {child for child in children - named if not any(_is_in(each, f"{package}.{child}") for each in used)}

    def repeated_files(self) -> int:
        """File names that occur in several folders of the product, `__init__.py` aside."""
        names = Counter(path.name for path in self.python if path.name != "__init__.py")
        return sum(count > 1 for count in names.values())

    def repeated_classes(self) -> int:
        """Names of classes that occur twice or more in the product; `Command`, which Scrapy looks for, aside."""
        nodes = (node for text in self.python.values() for node in ast.walk(ast.parse(text)))
        names = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef) and node.name != "Command")
        return sum(count > 1 for count in names.values())

    def vague_constants(self) -> int:
        """Constants whose name does not say what they count."""
        return sum(len(_VAGUE.findall(text)) for text in self.python.values())

    def compiled_branches(self) -> int:
        """Lines outside the kernels that branch on whether compiled code is there."""
        outside = (
            text for path, text in self.python.items() if path.parts[:2] not in (("extractors", "kernels"),)
            and path.parts[:2] != ("extractors", "compiled")
        )  # fmt: skip
        return sum(len(_BRANCH.findall(text)) for text in outside)


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _is_in(name: str, package: str) -> bool:
    return f"{name}.".startswith(f"{package}.")


def _named(text: str) -> set[str] | None:
    """The names in `__all__` of a package, None if it has none."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return None


def _imported(name: str, path: Path, text: str, known: Mapping[str, Path] | set[str]) -> Iterator[str]:
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield from (
                    [f"{base}.{alias.name}"] if f"{base}.{alias.name}" in known else [base] if base in known else []
                )


def _children(graph: Graph, package: str) -> Graph:
    depth = len(package.split("."))
    found: Graph = {}

    def child(name: str) -> str:
        if name == package:
            return f"{package}.__init__"
        return ".".join(name.split(".")[: depth + 1]) if name.startswith(f"{package}.") else ""

    for name, targets in graph.items():
        if one := child(name):
            found.setdefault(one, set()).update({other for other in map(child, targets) if other} - {one})
    return found


def circles(graph: Graph) -> list[set[str]]:
    """Sets of more than one module that all reach each other (strongly connected components)."""
    reached = {name: _reached(graph, name) for name in graph}
    found: list[set[str]] = []
    for name in graph:
        if not any(name in circle for circle in found):
            circle = {other for other in reached[name] if name in reached.get(other, set())}
            found += [circle | {name}] if len(circle | {name}) > 1 else []
    return found


def _reached(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += graph.get(name, ())
    return seen


def _quantile(values: list[int], share: float) -> int:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _lengths(values: list[int]) -> str:
    return f"{_quantile(values, 0.5)} / {_quantile(values, 0.95)} / {max(values)}"


def _over(values: list[int], limit: int) -> int:
    return sum(value > limit for value in values)


ROWS: dict[str, Callable[[House], object]] = {
    "modules (.py)": lambda house: len(house.python),
    "lines (with .pyx, .pxi, .lua, .js)": lambda house: sum(text.count("\n") for text in house.texts.values()),
    "lines of .py": lambda house: sum(text.count("\n") for text in house.python.values()),
    "module lines: median / p95 / max": lambda house: _lengths([text.count("\n") for text in house.python.values()]),
    f"modules over {MAX_MODULE_LINES} lines": lambda house: _over(
        [text.count("\n") for text in house.python.values()], MAX_MODULE_LINES
    ),
    "function lines: median / p95 / max": lambda house: _lengths(house.functions()),
    f"functions over {MAX_FUNCTION_LINES} lines": lambda house: _over(house.functions(), MAX_FUNCTION_LINES),
    "files in import circles": lambda house: sum(map(len, circles(house.graph))),
    "level circles": House.level_circles,
    "crawler/: modules + packages": lambda house: house.top_modules("crawler"),
    "extractors/: modules + packages": lambda house: house.top_modules("extractors"),
    "names of files that occur twice in crawler/": lambda house: house.repeated_names("crawler"),
    "Any in pipelines/": lambda house: sum(
        len(_ANY.findall(re.sub(r"^(from|import) .*", "", text, flags=re.M)))
        for path, text in house.python.items()
        if path.parts[0] == "pipelines"
    ),
    "public modules": House.public_modules,
    "file names in several folders": House.repeated_files,
    "class names twice or more": House.repeated_classes,
    "constants without a quantity": House.vague_constants,
    "settings": lambda house: len(house.settings()),
    "settings in no test; in no document": lambda house: (
        f"{house.unnamed_settings('tests', '.py')}; {house.unnamed_settings('docs', '.md')}"
    ),
    "lines of tests; of benchmarks": lambda house: f"{house.lines_of('tests')}; {house.lines_of('benchmarks')}",
    "branches on compiled code outside the kernels": House.compiled_branches,
    "dependencies: required + optional": House.dependencies,
}


def unpacked(place: str, below: Path) -> Path:
    """A folder as it is; the files of a commit in a folder below."""
    if Path(place).is_dir():
        return Path(place)
    archive = subprocess.run(["git", "archive", place], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(below / place, filter="data")
    return below / place


def main() -> None:
    """Print a row for each figure, a column for each folder or commit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="*", default=["."])
    with tempfile.TemporaryDirectory() as below:
        houses = [House(unpacked(place, Path(below))) for place in parser.parse_args().places]
        width = max(map(len, ROWS))
        for name, figure in ROWS.items():
            print(f"{name:<{width}}  " + "  ".join(f"{figure(house)!s:>14}" for house in houses))


if __name__ == "__main__":
    main()
