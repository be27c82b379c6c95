"""The operator's YAML files: their location and content. Every error names file, line and key."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, cast, get_args
from zoneinfo import ZoneInfo

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from scrapy.settings import BaseSettings

Model = TypeVar("Model", bound=BaseModel)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # as safe, and eight times as fast where PyYAML has libyaml


class Strict(BaseModel):
    """A part of an operator's file; rejects unknown keys and wrong types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (OSError, ValueError, KeyError):
        raise ValueError("is not a time zone; write it like Asia/Shanghai") from None
    return value


TimeZone = Annotated[str, AfterValidator(_zone)]


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
