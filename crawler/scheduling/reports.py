"""Scheduled reports: created and sent by a separate process, `scrapy report`."""

import os
import subprocess
import sys
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from crawler.scheduling.job_plan import ReportPlan

_TIMEOUT_SECONDS = 1_800.0


def command_of(report: ReportPlan, zone: ZoneInfo, given: Sequence[str] = ()) -> list[str]:
    """The command line; `zone` is that of the schedule, `given` are settings of the scheduler, NAME=VALUE."""
    words = [sys.executable, "-m", "scrapy", "report", *filter(None, (report.topic,)), "--since", report.since]
    for channel in report.send:
        words += ["--send", channel]
    if report.folder:
        words += ["--folder", report.folder, "--format", report.format]
    if report.language != "en":
        words += ["--language", report.language]
    for setting in (*given, f"TIME_ZONE={zone}", *(f"{name}={value}" for name, value in report.settings.items())):
        words += ["-s", setting]
    return words


def make_report(report: ReportPlan, zone: ZoneInfo, given: Sequence[str] = ()) -> tuple[bool, str]:
    """Create and send the report; returns success and a sentence."""
    english = {**os.environ, "TOPICRAWL_LANG": "en"}  # the sentence is stored, and translated for each reader
    try:
        ended = subprocess.run(
            command_of(report, zone, given),
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
            env=english,
        )
    except subprocess.TimeoutExpired:
        return False, f"the report was not ready after {_TIMEOUT_SECONDS:.0f} s"
    except OSError as error:
        return False, f"the report cannot be created: {error}"
    lines = [line for line in ended.stderr.splitlines() if line.strip()]
    said = lines[-1] if lines else "no output"
    return ended.returncode == 0, f"report: {said}" if ended.returncode == 0 else f"report failed: {said}"
