"""Where an operator's YAML files lie: a folder, or the package `settings` itself, which may be inside a zipped egg."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from scrapy.settings import BaseSettings


def settings_folder(settings: BaseSettings) -> Traversable:
    """The folder that TOPICRAWL_SETTINGS_DIR names; the package's own where there is no such folder."""
    folder = Path(settings.get("TOPICRAWL_SETTINGS_DIR") or "settings")
    return folder if folder.is_dir() else files("settings")


def beside(path: Traversable, name: str) -> Traversable:
    """Another file, named relative to this one's folder; paths in files and in eggs both know that."""
    return cast(Traversable, cast(Any, path).parent / name)
