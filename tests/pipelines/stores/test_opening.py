"""Which database is opened."""

import os
import subprocess
import sys
from pathlib import Path

from scrapy.settings import Settings

from pipelines.stores.opening import store_address

ROOT = Path(__file__).resolve().parents[3]


def test_without_store_the_database_is_in_the_data_folder(tmp_path: Path) -> None:
    assert store_address(Settings({"DATA_DIR": "data", "STORE": ""})) == "sqlite:///data/topicrawl.db"
    assert store_address(Settings({"DATA_DIR": tmp_path})) == f"sqlite:///{tmp_path}/topicrawl.db"
    assert store_address(Settings({"DATA_DIR": tmp_path, "STORE": "mongodb://a/b"})) == "mongodb://a/b"


def test_a_command_follows_the_data_folder(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TOPICRAWL_STORE"}
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "export", "-s", f"DATA_DIR={tmp_path}/own"],
        cwd=ROOT, env=environment | {"SCRAPY_PROJECT": "default"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert f"no database at {tmp_path}/own/topicrawl.db" in done.stderr
