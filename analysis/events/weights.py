"""Event thresholds as a file, so that operators can use ones chosen on their own data."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from analysis.events.clustering import EventLimits, Settings

KINDS = ("title", "chinese", "title_in_letters", "letters")
"""Of bare titles and of texts, in Chinese and in letters: each has limits of its own."""
_VERSION = 3
_NAMES = tuple(field.name for field in fields(EventLimits))


class WeightsError(Exception):
    """Unusable weights file; the message gives the reason."""


def write_weights(path: Path, settings: Settings) -> None:
    """Replace the file atomically."""
    found = {"version": _VERSION, **{kind: asdict(getattr(settings, kind)) for kind in KINDS}}
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def read_weights(path: Path) -> Settings:
    """Read a file of `write_weights`; raises WeightsError if it is missing or invalid."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise WeightsError(f"{path} cannot be read: {error}; `scrapy analysis train` writes such a file") from None
    if not isinstance(found, Mapping) or found.get("version") != _VERSION:
        raise WeightsError(f"{path} was not written by this version of `scrapy analysis train`")
    title, chinese, title_in_letters, letters = (_limits(path, kind, found.get(kind)) for kind in KINDS)
    return Settings(title, chinese, title_in_letters, letters)


def _limits(path: Path, kind: str, found: Any) -> EventLimits:
    values = found if isinstance(found, Mapping) else {}
    numbers: dict[str, Any] = {name: values.get(name) for name in _NAMES}
    if not all(isinstance(value, int | float) and _usable(name, value) for name, value in numbers.items()):
        raise WeightsError(f"{path}: {kind} needs {', '.join(_NAMES)}: days above 0, each other between 0 and 1")
    return EventLimits(**numbers)


def _usable(name: str, value: float) -> bool:
    return 0 < value < math.inf if name == "days" else 0 <= value <= 1
