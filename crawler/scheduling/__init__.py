"""Scheduled jobs: the plan, and how its jobs are started here or on nodes with scrapyd."""

from crawler.scheduling.plan_file import add_job, remove_job, retime_job
from crawler.scheduling.runner import Runner, last_outcome
from crawler.scheduling.starting import Loads, loads, start

__all__ = [
    "Loads",
    "Runner",
    "add_job",
    "job_plan",
    "last_outcome",
    "loads",
    "remove_job",
    "retime_job",
    "scrapyd",
    "start",
]
