"""A YAML file that an operator writes: every complaint about it names file, line and key."""

from pathlib import Path
from typing import Any, NoReturn

import yaml


class DeclarationError(ValueError):
    """A file that cannot be used; the message names file, line and key."""


class Declaration:
    """A file's values with the lines of their keys.

    Attributes:
        values: the file's top mapping; node: the same as YAML nodes, which know their lines.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
            values: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise DeclarationError(f"{path}: cannot be read: {error}") from error
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = f", line {mark.line + 1}" if mark else ""
            raise DeclarationError(f"{path}{line}: is no YAML: {getattr(error, 'problem', error)}") from error
        if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode):
            raise DeclarationError(f"{path}, line 1: must hold keys and values, like `name: value`")
        self.values: dict[Any, Any] = values
        self._lines = {key.value: key.start_mark.line + 1 for key, _ in node.value}
        self.node = node

    def fail(self, key: str, message: str, line: int = 0) -> NoReturn:
        """Raise DeclarationError; the line is that of the key unless another is given."""
        raise DeclarationError(f"{self._path}, line {line or self._lines.get(key, 1)}, {key}: {message}")

    def text(self, key: str) -> str:
        """A value that must be there, as text."""
        value = self.values.get(key)
        if not isinstance(value, str) or not value:
            self.fail(key, "must be given, as text")
        return str(value)

    def number(self, key: str, default: float, kind: type = float) -> float:
        """A number of at least 0."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)) or value < 0:
            self.fail(key, f"must be a number of at least 0, not {value!r}")
        return kind(value)  # type: ignore[no-any-return]  # int or float

    def refuse_unknown(self, known: set[str]) -> None:
        """Complain of the first key that is none of these."""
        if unknown := [key for key in self.values if key not in known]:
            self.fail(str(unknown[0]), f"is not known; there are {', '.join(sorted(known))}")
