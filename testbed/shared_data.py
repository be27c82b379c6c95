"""Real pages with gold answers. They are not part of this repository: tests that read them carry the mark `shared`, and are skipped where
the folder is missing."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("TOPICRAWL_SHARED") or Path(__file__).resolve().parents[2] / "shared")


def skip_without_shared(item: pytest.Item) -> None:
    """Skip a test of the shared pages where these are missing."""
    if item.get_closest_marker("shared") and not SHARED.is_dir():
        pytest.skip(f"the shared pages are not in {SHARED}")
