"""Real pages with gold answers. They are not part of this repository: tests that read them carry the mark `shared`, and are skipped where
the folder is missing."""

import os
from pathlib import Path

SHARED = Path(os.environ.get("TOPICRAWL_SHARED") or Path(__file__).resolve().parents[2] / "shared")
