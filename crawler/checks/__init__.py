"""The checks of `scrapy doctor`: one function per check, listed in `crawler.commands.doctor.CHECKS`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

__all__ = [
    "Finding",
    "address",
    "configuration",
    "installation",
    "rules_by_example",
    "run_check",
    "servers",
    "site_health",
]

State = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `advice` says how to solve a warning or a fault."""

    state: State
    subject: str
    message: str
    advice: str = ""


Check = Callable[[BaseSettings], list[Finding]]
"""A check. Problems that a user can solve are returned as findings, never raised."""


def run_check(name: str, settings: BaseSettings) -> list[Finding]:
    """The findings of the check at this import path; an exception in a check becomes a finding too."""
    try:
        check: Check = load_object(name)
        return check(settings)
    except Exception as error:
        message = f"this check failed: {type(error).__name__}: {error}"
        advice = "Please report this as a bug."
        return [Finding("fault", name, message, advice)]
