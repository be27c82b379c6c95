"""What `scrapy doctor` checks: one function a check, named in the setting DOCTOR_CHECKS."""

from crawler.checks.finding import Check, Finding, State, run_check

__all__ = ["Check", "Finding", "State", "run_check"]
