"""A check and what it finds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scrapy.settings import BaseSettings

State = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found; `advice` says what to do about a warning or a fault."""

    state: State
    subject: str
    said: str
    advice: str = ""


Check = Callable[[BaseSettings], list[Finding]]
"""Looks at one thing; it catches its own errors and never raises for what a user can put right."""
