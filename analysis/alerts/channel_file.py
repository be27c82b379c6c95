"""Channels in alerts.yaml are added, changed and removed; comments and everything else in the file stay."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from scrapy.settings import BaseSettings

from analysis.alerts.alert_rules import AlertRuleError, checked_kind
from analysis.alerts.rule_set import FILE, read_rule_set
from analysis.delivery.channels import AnyChannel, Channel
from crawler.config.yaml_file import DeclarationError, EntryError, changed_file, settings_folder, yaml_section

_ADAPTER: TypeAdapter[Channel] = TypeAdapter(AnyChannel)
_NAME = re.compile(r"\w[\w-]{0,39}")


def checked_channel(values: Mapping[str, Any]) -> Channel:
    """A channel from plain values; AlertRuleError for the first mistake."""
    return checked_kind(_ADAPTER, values)


def keep_channel(settings: BaseSettings, name: str, values: Mapping[str, Any], head: str = "") -> None:
    """Write a channel, in place of one of the same name; a file that is missing begins with `head`.

    Raises AlertRuleError if it is invalid, DeclarationError if the file cannot be changed.
    """
    if not _NAME.fullmatch(name):
        raise AlertRuleError("the name of a channel has letters, digits, - and _, at most 40")
    written = checked_channel(values).model_dump(exclude_defaults=True)

    def change(text: str) -> str:
        section = yaml_section(text or head, "channels", is_made=True)
        if name in section.entries:
            section = yaml_section(section.removed(name), "channels")
        return section.added(name, {"kind": values["kind"], **written})

    _changed(settings, change)


def forget_channel(settings: BaseSettings, name: str) -> None:
    """Remove a channel. Raises DeclarationError if there is none, or a rule of the file sends to it."""

    def change(text: str) -> str:
        section = yaml_section(text, "channels", is_made=True)
        if name not in section.entries:
            raise EntryError(f"has no channel {name}")
        return section.removed(name)

    _changed(settings, change)


def _changed(settings: BaseSettings, change: Callable[[str], str]) -> None:
    path = settings_folder(settings) / FILE
    if not isinstance(path, Path):
        raise DeclarationError(f"{path} is part of a package; set TOPICRAWL_SETTINGS_DIR to a folder of your own")
    try:
        changed_file(path, change, read_rule_set)
    except EntryError as error:
        raise DeclarationError(f"{path}: {error}") from None
    except DeclarationError as error:  # of the draft beside it
        raise DeclarationError(str(error).replace(f".{path.name}.new", path.name)) from None
    except OSError as error:
        raise DeclarationError(
            f"{path} cannot be changed: {error.strerror}; it and its folder must be writable"
        ) from None
