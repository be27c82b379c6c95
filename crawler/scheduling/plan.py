"""The file that says which jobs run when, checked line by line."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger
from pydantic import BaseModel, ConfigDict, Field, field_validator

from crawler.config.yaml_file import Declaration, DeclarationError, TimeZone

NODES_VARIABLE = "SCRAPYD_NODES"


_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERED = re.compile(r"(\d)(?:-(\d))?(?:/(\d))?")


class PlanError(Exception):
    """The file cannot be used; the message names file, line and key."""


class Job(BaseModel):
    """What is crawled, and on how many nodes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    spider: str = Field(min_length=1)
    arguments: dict[str, str | int | float] = {}
    settings: dict[str, str | int | float | bool] = {}
    nodes: int | Literal["all"] = Field(default=1)
    project: str = "topicrawl"

    @field_validator("nodes")
    @classmethod
    def _is_positive(cls, value: int | str) -> int | str:
        if isinstance(value, int) and value < 1:
            raise ValueError("is a number of nodes, 1 or more, or all")
        return value


class JobPlan(Job):
    """A job, when it is due, and what becomes of a run that was missed."""

    cron: str
    missed: Literal["run", "skip"] = "run"

    @field_validator("cron")
    @classmethod
    def _is_cron(cls, value: str) -> str:
        cron_trigger(value, ZoneInfo("UTC"))
        return value


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    timezone: TimeZone = "UTC"
    nodes: list[str] = []
    jobs: dict[str, JobPlan] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """Jobs by name, the addresses of scrapyd, and the zone in which hours are meant."""

    jobs: dict[str, JobPlan]
    nodes: tuple[str, ...]
    timezone: ZoneInfo

    def trigger(self, name: str) -> CronTrigger:
        return cron_trigger(self.jobs[name].cron, self.timezone)


def cron_trigger(text: str, timezone: ZoneInfo) -> CronTrigger:
    """As cron reads it, where 0 and 7 are Sunday (APScheduler counts from Monday); ValueError if it is no cron line."""
    fields = text.split()
    if len(fields) != 5:
        raise ValueError("needs five fields: minute, hour, day of month, month, day of week")
    fields[4] = ",".join(_named(part) for part in fields[4].split(","))
    return CronTrigger.from_crontab(" ".join(fields), timezone)


def _named(part: str) -> str:
    match = _NUMBERED.fullmatch(part)
    if match is None:
        return part
    first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
    if max(first, last) > 7 or first > last or step == 0:
        raise ValueError(f"{part} names no days of the week; they are 0 to 7, Sunday to Sunday")
    return ",".join(_WEEKDAYS[first : last + 1 : step])


def read_plan(path: Path) -> Plan:
    """PlanError says what is wrong, and in which line."""
    try:
        found = Declaration(path).checked(_File)
    except DeclarationError as error:
        raise PlanError(str(error)) from None
    nodes = tuple(found.nodes) or tuple(os.environ.get(NODES_VARIABLE, "").replace(",", " ").split())
    if not nodes:
        raise PlanError(f"{path} names no nodes, nor does {NODES_VARIABLE}: write nodes: [http://127.0.0.1:6800]")
    return Plan(found.jobs, nodes, ZoneInfo(found.timezone))
