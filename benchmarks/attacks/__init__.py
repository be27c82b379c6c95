"""Attacks on a crawl, one a module. `python -m benchmarks.attacks` runs all and prints which hold.

A module's docstring says what is attacked; its `attack(folder)` uses an empty folder and returns "" if the crawl holds,
else what went wrong, or `SKIPPED` and why it cannot be tried here.
"""

SKIPPED = "skipped"
