"""Scheduled jobs: the plan, and how its jobs are started here or on nodes with scrapyd."""

__all__ = ["job_plan", "plan_file", "runner", "scrapyd", "starting"]
