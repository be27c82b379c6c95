"""A page links and redirects to other ports of the operator's proxy, which has a private address."""

from pathlib import Path

from benchmarks.attacks import Trial
from testbed import proxy_ports


def attack(folder: Path, trial: Trial) -> str:
    """As the tests try it."""
    return proxy_ports.attack(folder)
