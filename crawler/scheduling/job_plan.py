"""The file with the schedule of jobs, validated line by line."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from crawler.config.yaml_file import Declaration, DeclarationError, TimeZone
from crawler.scheduling.local_jobs import HERE

NODES_VARIABLE = "SCRAPYD_NODES"


_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERED = re.compile(r"(\d)(?:-(\d))?(?:/(\d))?")


class PlanError(Exception):
    """The file is invalid; the message names file, line and key."""


def _cron(value: str) -> str:
    cron_trigger(value, ZoneInfo("UTC"))
    return value


_Cron = Annotated[str, AfterValidator(_cron)]


class Job(BaseModel):
    """A crawl, and its number of nodes."""

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
    """A job with its schedule and its policy for missed runs."""

    cron: _Cron
    missed: Literal["run", "skip"] = "run"


class ReportPlan(BaseModel):
    """A report of a topic for channels of alerts.yaml or for a folder, created on the scheduler's machine.

    Attributes:
        folder: gets a new file each time; "" if it is only sent.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    topic: str = Field(default="", pattern=r"^[^-]|^$")
    since: str = Field(default="24h", pattern=r"^\d{1,4}[hdw]$")
    send: list[str] = []
    folder: str = Field(default="", max_length=300, pattern=r"^[^-]|^$")
    format: Literal["html", "markdown", "docx", "xlsx", "pdf"] = "html"
    language: Literal["zh", "en"] = "en"
    settings: dict[str, str | int | float | bool] = {}
    cron: _Cron
    missed: Literal["run", "skip"] = "run"

    @model_validator(mode="after")
    def _goes_somewhere(self) -> "ReportPlan":
        if not self.send and not self.folder:
            raise ValueError("needs send (channels) or folder")
        return self


class _ScheduleFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    timezone: TimeZone = "UTC"
    nodes: list[str] = []
    jobs: dict[str, JobPlan] = {}
    reports: dict[str, ReportPlan] = {}

    @field_validator("jobs", "reports", mode="before")
    @classmethod
    def _may_be_empty(cls, value: object) -> object:
        """A key without anything below it is None in YAML."""
        return {} if value is None else value

    @field_validator("reports")
    @classmethod
    def _have_own_names(cls, value: dict[str, ReportPlan], info: ValidationInfo) -> dict[str, ReportPlan]:
        if same := value.keys() & info.data.get("jobs", {}).keys():
            raise ValueError(f"{min(same)} is the name of a job already")
        return value


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """Jobs and reports by name, the addresses of scrapyd (or "local"), and the time zone of the schedule."""

    jobs: dict[str, JobPlan]
    nodes: tuple[str, ...]
    timezone: ZoneInfo
    reports: dict[str, ReportPlan] = field(default_factory=dict)

    @property
    def planned(self) -> dict[str, JobPlan | ReportPlan]:
        """All scheduled jobs and reports."""
        return {**self.jobs, **self.reports}

    def trigger(self, name: str) -> CronTrigger:
        return cron_trigger(self.planned[name].cron, self.timezone)


def cron_trigger(text: str, timezone: ZoneInfo) -> CronTrigger:
    """A trigger with cron's days, where 0 and 7 are Sunday (APScheduler counts from Monday). Raises ValueError."""
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


def read_plan(path: Path) -> SchedulePlan:
    """The plan in a file. Raises PlanError with file, line and key."""
    try:
        found = Declaration(path).checked(_ScheduleFile)
    except DeclarationError as error:
        raise PlanError(str(error)) from None
    nodes = tuple(found.nodes) or named_nodes() or (HERE,)
    return SchedulePlan(found.jobs, nodes, ZoneInfo(found.timezone), found.reports)


def named_nodes() -> tuple[str, ...]:
    """The addresses in SCRAPYD_NODES."""
    return tuple(os.environ.get(NODES_VARIABLE, "").replace(",", " ").split())
