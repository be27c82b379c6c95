"""Planned reports: made and sent by a process of their own, `scrapy report`."""

import subprocess
import sys

from crawler.scheduling.plan import ReportPlan

_TIMEOUT_SECONDS = 1_800.0


def command_of(report: ReportPlan) -> list[str]:
    """What is called."""
    words = [
        sys.executable,
        "-m",
        "scrapy",
        "report",
        *([report.topic] if report.topic else []),
        "--since",
        report.since,
    ]
    for channel in report.send:
        words += ["--send", channel]
    for name, value in report.settings.items():
        words += ["-s", f"{name}={value}"]
    return words


def make_report(report: ReportPlan) -> tuple[bool, str]:
    """Whether it was made and sent, and a sentence."""
    try:
        ended = subprocess.run(
            command_of(report), capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False, f"the report was not ready after {_TIMEOUT_SECONDS:.0f} s"
    except OSError as error:
        return False, f"the report cannot be made: {error}"
    lines = [line for line in ended.stderr.splitlines() if line.strip()]
    said = lines[-1] if lines else "nothing was said"
    return ended.returncode == 0, f"report: {said}" if ended.returncode == 0 else f"report failed: {said}"
