"""Adds and removes jobs in the file of a plan, keeping comments and everything else."""

import errno
import math
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path

import yaml

from crawler.scheduling.job_plan import JobPlan, PlanError, ReportPlan, SchedulePlan, read_plan

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,39}")
_EMPTY = "timezone: {zone}\njobs:\n"
_writing = threading.Lock()


def add_job(path: Path, name: str, job: JobPlan | ReportPlan, zone: str) -> SchedulePlan:
    """Add this job or report to the file and return the plan; a missing file is created with this time zone.

    Raises PlanError if one of this name exists, or the file cannot be read or written.
    """
    if not _NAME.fullmatch(name):
        raise PlanError(f"{name!r} is not a valid name of a job: letters, digits, - and _, at most 40")
    written = job.model_dump(exclude_defaults=True)
    block = _dumped({name: written})
    section = "jobs" if isinstance(job, JobPlan) else "reports"

    def change(text: str) -> str:
        lines, entries = _read(path, text or _EMPTY.format(zone=zone), section)
        if name in entries:
            raise PlanError(f"{path} has a job {name} already")
        indent, end = _end_of(section, lines, entries)
        lines[end:end] = [f"{' ' * indent}{line}\n" for line in block.split("\n") if line]
        return "".join(lines)

    return _changed(path, change)


def remove_job(path: Path, name: str) -> SchedulePlan:
    """Remove this job or report and return the plan. Raises PlanError if there is none."""

    def change(text: str) -> str:
        lines, entries = _read(path, text, "jobs")
        if name not in entries:
            lines, entries = _read(path, text, "reports")
        if name not in entries:
            raise PlanError(f"{path} has no job {name}")
        _, begin, end = entries[name]
        del lines[begin:end]
        return "".join(lines)

    return _changed(path, change)


def _dumped(value: object) -> str:
    """YAML with line feeds only, so that it can be indented."""
    text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=math.inf)
    if any(mark in text for mark in "\x85\u2028\u2029"):
        return yaml.safe_dump(value, sort_keys=False, width=math.inf)
    return text


_Entries = dict[str, tuple[int, int, int]]
"""(indent, first line, line after the last one) by name of the job."""


def _read(path: Path, text: str, section: str) -> tuple[list[str], _Entries]:
    """The lines of the file and the entries of a section; one of reports is added if there is none."""
    lines = (text if text.endswith("\n") else f"{text}\n").splitlines(keepends=True)
    try:
        root = yaml.compose(text)
    except yaml.YAMLError as error:
        raise PlanError(f"{path} is not YAML: {error}") from None
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    jobs = next((value for key, value in pairs if key.value == section), None)
    if jobs is None and section == "reports":
        return [*lines, "reports:\n"], {}
    if jobs is None:
        raise PlanError(f"{path} has no jobs")
    if isinstance(jobs, yaml.ScalarNode) and not jobs.value:
        return lines, {}
    if not isinstance(jobs, yaml.MappingNode) or jobs.flow_style:
        raise PlanError(f"{path}: write each job below the other, not in braces, so that jobs can be added")
    begins = [key.start_mark.line for key, _ in jobs.value]
    ends = [*begins[1:], _last_line(jobs, lines)]
    return lines, {
        key.value: (key.start_mark.column, begin, _without_comments(lines, begin, end))
        for (key, _), begin, end in zip(jobs.value, begins, ends, strict=True)
    }


def _last_line(node: yaml.Node, lines: list[str]) -> int:
    mark = node.end_mark
    return min(len(lines), mark.line + (1 if mark.column else 0))


def _without_comments(lines: list[str], begin: int, end: int) -> int:
    """The end of a job without trailing comments, which may belong to the next one."""
    while end > begin + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _end_of(section: str, lines: list[str], entries: _Entries) -> tuple[int, int]:
    """The indent of a new job, and the line before which it is inserted."""
    if entries:
        indent, _, end = list(entries.values())[-1]
        return indent, end
    return 2, next(place for place, line in enumerate(lines) if line.startswith(f"{section}:")) + 1


def _changed(path: Path, change: Callable[[str], str]) -> SchedulePlan:
    """Write the changed text if it is a valid plan."""
    draft = path.with_name(f".{path.name}.new")
    with _writing:
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            draft.write_text(change(text), encoding="utf-8")
            plan = read_plan(draft)
            _replace(draft, path)
        except OSError as error:
            raise PlanError(f"{path} cannot be changed: {error.strerror}; it and its folder must be writable") from None
        finally:
            draft.unlink(missing_ok=True)
    return plan


def _replace(draft: Path, path: Path) -> None:
    try:
        os.replace(draft, path)
    except OSError as error:
        if error.errno != errno.EBUSY:  # a file mounted by itself into a container
            raise
        path.write_text(draft.read_text(encoding="utf-8"), encoding="utf-8")
