"""What `scrapy doctor` looks at: one check a function, named in the setting DOCTOR_CHECKS."""

from crawler.checks.base import Check, Finding, State

__all__ = ["Check", "Finding", "State"]
