"""Adds and removes jobs in the file of a plan."""

import re
from collections.abc import Callable
from pathlib import Path

from crawler.config.yaml_file import EntryError, changed_file, yaml_section
from crawler.scheduling.job_plan import JobPlan, PlanError, ReportPlan, SchedulePlan, read_plan

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,39}")
_EMPTY = "timezone: {zone}\njobs:\n"


def add_job(path: Path, name: str, job: JobPlan | ReportPlan, zone: str) -> SchedulePlan:
    """Add this job or report to the file and return the plan; a missing file is created with this time zone.

    Raises PlanError if one of this name exists, or the file cannot be read or written.
    """
    if not _NAME.fullmatch(name):
        raise PlanError(f"{name!r} is not a valid name of a job: letters, digits, - and _, at most 40")
    is_report = isinstance(job, ReportPlan)

    def change(text: str) -> str:
        text = text or _EMPTY.format(zone=zone)
        section = yaml_section(text, "reports" if is_report else "jobs", is_made=is_report)
        if name in section.entries:
            raise PlanError(f"{path} has a job {name} already")
        return section.added(name, job.model_dump(exclude_defaults=True))

    return _changed(path, change)


def remove_job(path: Path, name: str) -> SchedulePlan:
    """Remove this job or report and return the plan. Raises PlanError if there is none."""

    def change(text: str) -> str:
        for section in (yaml_section(text, "jobs"), yaml_section(text, "reports", is_made=True)):
            if name in section.entries:
                return section.removed(name)
        raise PlanError(f"{path} has no job {name}")

    return _changed(path, change)


def retime_job(path: Path, name: str, cron: str) -> SchedulePlan:
    """Give this job or report another time and return the plan. Raises PlanError if there is none, ValueError for a wrong time."""
    planned = read_plan(path).planned.get(name)
    if planned is None:
        raise PlanError(f"{path} has no job {name}")
    job = type(planned).model_validate(planned.model_dump() | {"cron": cron}).model_dump(exclude_defaults=True)

    def change(text: str) -> str:
        section = yaml_section(text, "jobs" if isinstance(planned, JobPlan) else "reports")
        if name not in section.entries:
            raise PlanError(f"{path} has no job {name}")
        return yaml_section(section.removed(name), section.name).added(name, job)

    return _changed(path, change)


def _changed(path: Path, change: Callable[[str], str]) -> SchedulePlan:
    """Write the changed text if it is a valid plan."""
    try:
        return changed_file(path, change, read_plan)
    except EntryError as error:
        raise PlanError(f"{path}: {error}") from None
    except OSError as error:
        raise PlanError(f"{path} cannot be changed: {error.strerror}; it and its folder must be writable") from None
