"""Writes docs/settings.md from the comments in `base.py` and `cluster.py`, and docs/zh/settings.md: `python -m settings.reference`.

A setting's comment stands behind its value, or above it if the line would be too long. `# -- heading --` begins a group.
docs/zh/settings.yaml has the Chinese meanings of groups and settings.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

_HERE = Path(__file__).parent
_DOCS = _HERE.parent / "docs"
_MODULES = ("base", "cluster")
_HEADING = re.compile(r"# -- (.+?) -+$")
_GUIDES = re.compile(r"[,:] see docs/")
_VARIABLE = re.compile(r"environ(?:\.get\(|\[)[\"'](\w+)")
_LONGEST_DEFAULT_CHARS = 60


@dataclass(frozen=True, slots=True)
class _Page:
    """The text of the page besides its rows: its begin, that of the part about clusters, heads of tables, a link to a guide."""

    title: str
    cluster: str
    head: str
    guide: str
    variable: str
    comma: str


_ENGLISH = _Page(
    """# Settings

`python -m settings.reference` makes this page from the comments in `settings/base.py` and `settings/cluster.py`. `-s NAME=VALUE`
changes a setting, Scrapy's too, for one run, and `TOPICRAWL_NAME=VALUE` in the environment for all runs that inherit it; `-s` wins over the
environment, and this over the settings module. `scrapy settings` shows what is in force and where it comes from. The environment variable
of the same name, without a prefix, sets those marked with †.""",
    """
# Settings of a cluster

`SCRAPY_PROJECT=cluster` adds these to the settings above, or replaces them.""",
    "| setting | default | meaning |",
    "Guide: {}.",
    "{} (environment: {})",
    ", ",
)
_CHINESE = _Page(
    """# 设置

本页由 `python -m settings.reference` 根据 `settings/base.py` 和 `settings/cluster.py` 生成。`-s NAME=VALUE` 为一次运行更改设置，\
也包括 Scrapy 自身的设置；环境变量 `TOPICRAWL_NAME=VALUE` 对继承它的所有运行有效。`-s` 优先于环境变量，环境变量优先于设置模块。\
`scrapy settings` 显示当前生效的值及其来源。标有 † 的设置由不带前缀的同名环境变量设定。""",
    """
# 集群的设置

`SCRAPY_PROJECT=cluster` 在以上设置之外增加或替换下列设置。""",
    "| 设置 | 默认值 | 含义 |",
    "文档：{}。",
    "{}（环境变量：{}）",
    "、",
)


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


def _row(setting: Setting, page: _Page) -> str:
    default = f"`{setting.default}`" if setting.default.strip('"') else ""
    variables = page.comma.join(f"`{name}`" for name in dict.fromkeys(setting.variables))
    same = variables == f"`{setting.name}`"
    meaning = page.variable.format(setting.meaning, variables) if variables and not same else setting.meaning
    return f"| `{setting.name}`{' †' if same else ''} | {default} | {meaning} |"


def _tables(settings: list[Setting], page: _Page, groups: Mapping[str, str]) -> Iterator[str]:
    for group in dict.fromkeys(setting.group for setting in settings):
        title = _title(group)
        guides = page.comma.join(f"[{name}]({name})" for name in re.findall(r"docs/(\w+\.md)", group))
        yield f"\n## {groups.get(title, title)}\n" + (f"\n{page.guide.format(guides)}\n" if guides else "")
        yield f"{page.head}\n|---|---|---|"
        yield from (_row(setting, page) for setting in settings if setting.group == group)


def _title(group: str) -> str:
    title = _GUIDES.split(group)[0]
    return title[:1].upper() + title[1:]


def write_reference() -> str:
    """The whole page in English."""
    return _written(_ENGLISH, [list(read_settings(_HERE / f"{module}.py")) for module in _MODULES], {})


def write_chinese_reference() -> str:
    """The whole page in Chinese. KeyError for a group or setting without Chinese words."""
    words = yaml.safe_load((_DOCS / "zh" / "settings.yaml").read_text(encoding="utf-8"))
    settings = [
        [replace(each, meaning=words[module][each.name]) for each in read_settings(_HERE / f"{module}.py")]
        for module in _MODULES
    ]
    return _written(_CHINESE, settings, words["groups"])


def _written(page: _Page, settings: list[list[Setting]], groups: Mapping[str, str]) -> str:
    base, cluster = (list(_tables(each, page, groups)) for each in settings)
    return "\n".join([page.title, *base, page.cluster, *cluster]) + "\n"


if __name__ == "__main__":
    (_DOCS / "settings.md").write_text(write_reference(), encoding="utf-8")
    (_DOCS / "zh" / "settings.md").write_text(write_chinese_reference(), encoding="utf-8")
