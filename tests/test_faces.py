"""A package's face is its `__init__.py`: a sentence, and `__all__` with what modules outside the package may use.

`__all__` names objects of the face and modules; the latter are loaded only where they are imported. Dotted names in texts, by which
Scrapy and the settings load components, and the programs of the guides count as imports. Tests, benchmarks and the testbed may
reach into every room.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.test_layering import LAYERS, ROOT, imported, modules

DOTTED = re.compile(rf"(?<![\w./])(?:{'|'.join(LAYERS)})(?:\.\w+)+")
PROGRAM = re.compile(r"```python\n(.*?)```", re.S)


def faces(root: Path) -> dict[str, list[str]]:
    """Each package with the names in its `__all__`."""
    packages = {name: path for name, path in modules(root, LAYERS).items() if path.name == "__init__.py"}
    return {name: named_by(path) for name, path in packages.items()}


def named_by(face: Path) -> list[str]:
    for node in ast.parse(face.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def defined_by(face: Path) -> set[str]:
    """Names that a face imports or defines."""
    found: set[str] = set()
    for node in ast.parse(face.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def loaded(path: Path) -> Iterator[str]:
    """Full names of modules and objects in texts, by which a component is loaded; docstrings aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    yield from (text for text in texts if DOTTED.fullmatch(text))


def uses(root: Path) -> Iterator[tuple[str, str]]:
    """Each user, a module or a file, with the full name of a module or object that it uses."""
    for name, path in modules(root).items():
        yield from ((name, target) for target in [*imported(name, path), *loaded(path)])
    for path in [root / "pyproject.toml", root / "scrapy.cfg"]:
        if path.exists():
            yield from ((path.name, target) for target in DOTTED.findall(path.read_text(encoding="utf-8")))
    for path in sorted(root.glob("docs/*.md")):
        for program in PROGRAM.findall(path.read_text(encoding="utf-8")):
            yield from ((path.name, target) for target in DOTTED.findall(_joined(program)))


def _joined(program: str) -> str:
    """`from a import b, c` as a.b, a.c."""
    found = re.findall(r"^from ([\w.]+) import (.+)$", program, re.M)
    return "\n".join(f"{base}.{name.split()[0]}" for base, names in found for name in names.split(","))


def outside_uses(root: Path) -> Iterator[tuple[str, str, str]]:
    """User, package, and the name in the package that the user needs, for each use of a package from outside."""
    packages = faces(root).keys()
    for user, target in uses(root):
        parts = target.split(".")
        for depth in range(1, len(parts)):
            package = ".".join(parts[:depth])
            if package in packages and not f"{user}.".startswith(f"{package}."):
                yield user, package, parts[depth]


def reached_into(root: Path) -> list[str]:
    """A sentence for each use of what a face does not name."""
    named = faces(root)
    wrong = {use for use in outside_uses(root) if use[2] not in named[use[1]]}
    return sorted(
        f"{user} uses {package}.{name}, which {package}.__all__ does not name" for user, package, name in wrong
    )


def test_no_room_reaches_into_another() -> None:
    assert reached_into(ROOT) == []


def test_every_face_says_what_the_package_is_and_names_what_is_there() -> None:
    known = modules(ROOT)
    wrong = [name for name in faces(ROOT) if "__all__" not in defined_by(known[name]) or not _sentence(known[name])]
    wrong += [
        f"{package}.{name}"
        for package, names in faces(ROOT).items()
        for name in names
        if f"{package}.{name}" not in known and name not in defined_by(known[package])
    ]
    assert wrong == []


def _sentence(face: Path) -> str:
    return ast.get_docstring(ast.parse(face.read_text(encoding="utf-8"))) or ""


def test_faces_name_no_module_that_is_used_only_inside() -> None:
    known, used = modules(ROOT), {f"{package}.{name}" for _, package, name in outside_uses(ROOT)}
    named = {
        f"{package}.{name}"
        for package, names in faces(ROOT).items()
        for name in set(names) - defined_by(known[package])
    }
    assert sorted((named & known.keys()) - used) == []


def test_a_planted_reach_into_a_room_is_named(tmp_path: Path) -> None:
    files = {
        "crawler/__init__.py": "__all__ = ['frontier']",
        "crawler/frontier/__init__.py": "__all__ = ['opening']",
        "crawler/frontier/opening.py": "from crawler.frontier import rows",
        "crawler/frontier/rows.py": "",
        "crawler/addon.py": "PATHS = ['crawler.frontier.rows.Row']",
        "analysis/step.py": "from crawler.frontier import opening, rows\nfrom crawler.addon import PATHS",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert reached_into(tmp_path) == [
        "analysis.step uses crawler.addon, which crawler.__all__ does not name",
        "analysis.step uses crawler.frontier.rows, which crawler.frontier.__all__ does not name",
        "crawler.addon uses crawler.frontier.rows, which crawler.frontier.__all__ does not name",
    ]
