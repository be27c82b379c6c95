"""The operator's YAML files: their location and content, whose errors name file, line and key; and changes that keep comments and
everything else."""

import errno
import math
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, cast, get_args
from zoneinfo import ZoneInfo

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from scrapy.settings import BaseSettings

Model = TypeVar("Model", bound=BaseModel)
Checked = TypeVar("Checked")
_writing = threading.Lock()
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # as safe, and eight times as fast where PyYAML has libyaml


class Strict(BaseModel):
    """A part of an operator's file; rejects unknown keys and wrong types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def time_zone(name: str) -> ZoneInfo:
    """The zone of this name; ValueError if there is none, or if it is no name, such as ../x."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise ValueError("is not a time zone; write it like Asia/Shanghai") from None


TimeZone = Annotated[str, AfterValidator(lambda name: time_zone(name).key)]


class DeclarationError(ValueError):
    """A file is invalid; the message names file, line and key."""


class Declaration:
    """The values of a file, with the lines of their keys.

    Attributes:
        values: the top mapping of the file.
        node: the mapping as a YAML node, with line numbers.
    """

    def __init__(self, path: Traversable) -> None:
        self._path = path
        try:
            loader = LOADER(path.read_text(encoding="utf-8"))
            node = loader.get_single_node()
            values: Any = loader.construct_document(node) if node else None
        except (OSError, UnicodeDecodeError) as error:
            raise DeclarationError(f"{path}: cannot be read: {error}") from error
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = f", line {mark.line + 1}" if mark else ""
            raise DeclarationError(f"{path}{line}: is not YAML: {getattr(error, 'problem', error)}") from error
        if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode):
            raise DeclarationError(f"{path}, line 1: must have keys and values, like `name: value`")
        self.values: dict[Any, Any] = values
        self._lines = {key.value: key.start_mark.line + 1 for key, _ in node.value}
        self.node = node

    def fail(self, key: str, message: str, line: int = 0) -> NoReturn:
        """Raise DeclarationError, by default with the line of the key."""
        raise DeclarationError(f"{self._path}, line {line or self._lines.get(key, 1)}, {key}: {message}")

    def text(self, key: str) -> str:
        """A required value, as text."""
        value = self.values.get(key)
        if not isinstance(value, str) or not value:
            self.fail(key, "must be given, as text")
        return str(value)

    def number(self, key: str, default: float, kind: type = float) -> float:
        """A number of at least 0."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)) or value < 0:
            self.fail(key, f"must be a number of at least 0, not {value!r}")
        number: float = kind(value)
        return number

    def refuse_unknown(self, known: set[str]) -> None:
        """Fail for the first unknown key."""
        if unknown := [key for key in self.values if key not in known]:
            self.fail(str(unknown[0]), f"is not known; there are {', '.join(sorted(known))}")

    def checked(self, model: type[Model], common: dict[Any, Any] | None = None) -> Model:
        """The values, merged over `common`, as a pydantic model. Raises DeclarationError for invalid values."""
        try:
            return model.model_validate({**(common or {}), **self.values})
        except ValidationError as error:
            faults = error.errors()
            # an unknown key is reported first: most often a typing error
            fault = next((one for one in faults if one["type"] == "extra_forbidden"), faults[0])
        keys, line = _located(self.node, fault["loc"])
        name = ".".join(keys) or str(fault["loc"][0])
        if fault["type"] == "extra_forbidden":
            self.fail(name, f"is not known; there are {', '.join(_known(model, fault['loc'][:-1]))}", line)
        if fault["type"] == "missing":
            self.fail(".".join([*keys, str(fault["loc"][-1])]), "is missing", line)
        return self.fail(name, str(fault["msg"]).removeprefix("Value error, "), line)


def _known(model: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """The keys of the model, or of a nested model in it."""
    fields = {field.alias or name: field.annotation for name, field in model.model_fields.items()}
    held = fields.get(str(place[0])) if place else None
    inner = next((one for one in (held, *get_args(held)) if isinstance(one, type) and issubclass(one, BaseModel)), None)
    return sorted(fields) if inner is None else _known(inner, place[1:])


def _located(node: yaml.Node | None, place: tuple[int | str, ...]) -> tuple[list[str], int]:
    """The keys of a pydantic location that the file has, and the line of the last one, counted from 1."""
    line = node.start_mark.line + 1 if node else 1
    keys = []
    for key in place:
        if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            line = node.start_mark.line + 1
        elif isinstance(node, yaml.MappingNode):
            pairs = {name.value: (name, value) for name, value in node.value}
            if str(key) not in pairs:
                continue
            name, node = pairs[str(key)]
            line = name.start_mark.line + 1
            keys.append(str(key))
    return keys, line


def settings_folder(settings: BaseSettings) -> Traversable:
    """The folder TOPICRAWL_SETTINGS_DIR, else the package `settings`, which may be in a zipped egg."""
    folder = Path(settings.get("TOPICRAWL_SETTINGS_DIR") or "settings")
    return folder if folder.is_dir() else files("settings")


def beside(path: Traversable, name: str) -> Traversable:
    # paths on disk and in eggs have `parent`; the protocol lacks it
    return cast(Traversable, cast(Any, path).parent / name)


class EntryError(ValueError):
    """The file's shape does not allow the change; the message says what to write."""


@dataclass(frozen=True, slots=True)
class YamlSection:
    """The lines of a file, and the entries of one of its mappings: (indent, first line, line after the last one) by name."""

    name: str
    lines: list[str]
    entries: Mapping[str, tuple[int, int, int]]

    def added(self, name: str, value: object) -> str:
        """The text of the file with another entry behind the others."""
        indent, end = self._end()
        block = [f"{' ' * indent}{line}\n" for line in _dumped({name: value}).split("\n") if line]
        return "".join([*self.lines[:end], *block, *self.lines[end:]])

    def removed(self, name: str) -> str:
        """The text of the file without this entry, which is there."""
        _, begin, end = self.entries[name]
        return "".join([*self.lines[:begin], *self.lines[end:]])

    def _end(self) -> tuple[int, int]:
        """The indent of a new entry, and the line before which it is inserted."""
        if self.entries:
            indent, _, end = list(self.entries.values())[-1]
            return indent, end
        return 2, next(place for place, line in enumerate(self.lines) if line.startswith(f"{self.name}:")) + 1


def yaml_section(text: str, name: str, *, is_made: bool = False) -> YamlSection:
    """A mapping at the top of the file; one is added if there is none and it `is_made`. Raises EntryError."""
    lines = (text if text.endswith("\n") or not text else f"{text}\n").splitlines(keepends=True)
    try:
        root = yaml.compose(text)
    except yaml.YAMLError as error:
        raise EntryError(f"is not YAML: {error}") from None
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    found = next((value for key, value in pairs if key.value == name), None)
    if found is None and is_made:
        return YamlSection(name, [*lines, f"{name}:\n"], {})
    if found is None:
        raise EntryError(f"has no {name}")
    if isinstance(found, yaml.ScalarNode) and not found.value:
        return YamlSection(name, lines, {})
    if not isinstance(found, yaml.MappingNode) or found.flow_style:
        raise EntryError(f"write the {name} below each other, not in braces, so that others can be added")
    begins = [key.start_mark.line for key, _ in found.value]
    ends = [*begins[1:], _last_line(found, lines)]
    entries = {
        key.value: (key.start_mark.column, begin, _without_comments(lines, begin, end))
        for (key, _), begin, end in zip(found.value, begins, ends, strict=True)
    }
    return YamlSection(name, lines, entries)


def changed_file(path: Path, change: Callable[[str], str], check: Callable[[Path], Checked]) -> Checked:
    """Write the changed text if `check` accepts a file with it. A missing file is made from an empty text. Raises OSError, and what
    both raise."""
    draft = path.with_name(f".{path.name}.new")
    with _writing:
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            draft.write_text(change(text), encoding="utf-8")
            found = check(draft)
            _replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    return found


def _dumped(value: object) -> str:
    """YAML with line feeds only, so that it can be indented."""
    text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=math.inf)
    if any(mark in text for mark in "\x85\u2028\u2029"):
        return yaml.safe_dump(value, sort_keys=False, width=math.inf)
    return text


def _last_line(node: yaml.Node, lines: list[str]) -> int:
    mark = node.end_mark
    return min(len(lines), mark.line + (1 if mark.column else 0))


def _without_comments(lines: list[str], begin: int, end: int) -> int:
    """The end of an entry without trailing comments, which may belong to the next one."""
    while end > begin + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _replace(draft: Path, path: Path) -> None:
    try:
        os.replace(draft, path)
    except OSError as error:
        if error.errno != errno.EBUSY:  # a file mounted by itself into a container
            raise
        path.write_text(draft.read_text(encoding="utf-8"), encoding="utf-8")
