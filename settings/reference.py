"""Writes docs/settings.md from the comments in `base.py` and `cluster.py`: `python -m settings.reference`.

A setting's comment stands behind its value, or above it if the line would be too long. `# -- heading --` begins a group.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
_PAGE = _HERE.parent / "docs" / "settings.md"
_HEADING = re.compile(r"# -- (.+?) -+$")
_GUIDES = re.compile(r"[,:] see docs/")
_VARIABLE = re.compile(r"environ(?:\.get\(|\[)[\"'](\w+)")
_LONGEST_DEFAULT_CHARS = 60
_TITLE = """# Settings

`python -m settings.reference` makes this page from the comments in `settings/base.py` and `settings/cluster.py`. `-s NAME=VALUE`
changes a setting, Scrapy's too, for one run, and `TOPICRAWL_NAME=VALUE` in the environment for all runs that inherit it; `-s` wins over the
environment, and this over the settings module. `scrapy settings` shows what is in force and where it comes from. The environment variable
of the same name, without a prefix, sets those marked with †.
"""
_CLUSTER = """
# Settings of a cluster

`SCRAPY_PROJECT=cluster` adds these to the settings above, or replaces them.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """One assignment of a settings module; the default is Python source, empty if the environment alone gives it."""

    group: str
    name: str
    default: str
    variables: tuple[str, ...]
    meaning: str


def read_settings(path: Path) -> Iterator[Setting]:
    """The settings of one module in their order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper():
            name = node.targets[0].id
            if not name.startswith("_"):
                source = " ".join((ast.get_source_segment("\n".join(lines), node.value) or "").split())
                yield Setting(
                    _group(lines, node.lineno),
                    name,
                    _default(node.value, source),
                    tuple(_VARIABLE.findall(source)),
                    _meaning(lines, node),
                )


def _group(lines: list[str], number: int) -> str:
    found = (_HEADING.match(line) for line in reversed(lines[:number]))
    return next((heading[1] for heading in found if heading), "")


def _meaning(lines: list[str], node: ast.Assign) -> str:
    """The comment lines directly above, and the comment behind the value."""
    first = node.lineno - 1
    while first and lines[first - 1].startswith("# ") and not _HEADING.match(lines[first - 1]):
        first -= 1
    behind = lines[(node.end_lineno or node.lineno) - 1].encode()[node.end_col_offset :].decode()
    comments = [*lines[first : node.lineno - 1], behind.strip()]
    return " ".join(comment.lstrip("# ") for comment in comments if comment.startswith("#"))


def _default(value: ast.expr, source: str) -> str:
    """The value if the environment does not give it, else the default of the variable, empty if there is none."""
    if "environ" in source:
        call = value.args[0] if isinstance(value, ast.Call) and ast.unparse(value.func) == "int" else value
        last = call.args[-1] if isinstance(call, ast.Call) and len(call.args) == 2 else None
        return str(ast.literal_eval(last)) if isinstance(last, ast.Constant) else ""
    if re.fullmatch(r"[\d_.]+", source):
        return source.replace("_", ",")
    return source if len(source) <= _LONGEST_DEFAULT_CHARS else "…"


def _row(setting: Setting) -> str:
    default = f"`{setting.default}`" if setting.default.strip('"') else ""
    variables = ", ".join(f"`{name}`" for name in dict.fromkeys(setting.variables))
    same = variables == f"`{setting.name}`"
    meaning = f"{setting.meaning} (environment: {variables})" if variables and not same else setting.meaning
    return f"| `{setting.name}`{' †' if same else ''} | {default} | {meaning} |"


def _tables(settings: list[Setting]) -> Iterator[str]:
    for group in dict.fromkeys(setting.group for setting in settings):
        title = _GUIDES.split(group)[0]
        guides = ", ".join(f"[{name}]({name})" for name in re.findall(r"docs/(\w+\.md)", group))
        yield f"\n## {title[:1].upper()}{title[1:]}\n" + (f"\nGuide: {guides}.\n" if guides else "")
        yield "| setting | default | meaning |\n|---|---|---|"
        yield from (_row(setting) for setting in settings if setting.group == group)


def write_reference() -> str:
    """The whole page."""
    base, cluster = (list(read_settings(_HERE / f"{name}.py")) for name in ("base", "cluster"))
    parts = [_TITLE.rstrip(), *_tables(base), _CLUSTER.rstrip(), *_tables(cluster)]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    _PAGE.write_text(write_reference(), encoding="utf-8")
