"""What `scrapy doctor` checks: one function a check, named in `crawler.commands.doctor.CHECKS`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

State = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found; `advice` says what to do about a warning or a fault."""

    state: State
    subject: str
    message: str
    advice: str = ""


Check = Callable[[BaseSettings], list[Finding]]
"""Checks one thing; what a user can put right becomes a finding, not an exception."""


def run_check(name: str, settings: BaseSettings) -> list[Finding]:
    """The findings of the check at this import path; a check that fails is a finding too, and costs no other check."""
    try:
        check: Check = load_object(name)
        return check(settings)
    except Exception as error:
        message = f"this check failed: {type(error).__name__}: {error}"
        advice = "Please report this as a bug."
        return [Finding("fault", name, message, advice)]
