"""Settings that no other test needs do what docs/settings.md says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.documents import wanted_types
from testbed.crawling import REPOSITORY

SPIDER = """
import scrapy

class Own(scrapy.Spider):
    name = "own"

    async def start(self):
        yield {"title": "地铁", "bot": self.settings["BOT_NAME"]}
"""


def test_a_spider_of_the_users_own_writes_chinese_as_it_is(tmp_path: Path) -> None:
    spider, out = tmp_path / "own.py", tmp_path / "out.json"
    spider.write_text(SPIDER, encoding="utf-8")
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-O", str(out)]
    command += ["-s", f"STORE=sqlite:///{tmp_path}/a.db", "-s", f"DATA_DIR={tmp_path}"]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, timeout=60)
    assert "地铁" in out.read_text(encoding="utf-8")  # FEED_EXPORT_ENCODING
    assert json.loads(out.read_text(encoding="utf-8"))[0]["bot"] == "topicrawl"  # BOT_NAME


def test_types_of_documents() -> None:
    assert wanted_types(Settings({"DOCUMENT_TYPES": "pdf, docx"})) == {"pdf", "docx"}
    assert wanted_types(Settings({"DOCUMENT_TYPES": []})) == set()
    with pytest.raises(ValueError, match="DOCUMENT_TYPES has 'doc'"):
        wanted_types(Settings({"DOCUMENT_TYPES": ["doc"]}))


def test_every_key_in_redis_has_the_prefix() -> None:
    names = ("SCHEDULER_QUEUE_KEY", "SCHEDULER_DUPEFILTER_KEY", "REDIS_START_URLS_KEY", "BANS_KEY", "IDENTITIES_KEY")
    code = f"from settings import cluster; print(*(getattr(cluster, name, '') for name in {names!r}))"
    environment = os.environ | {"REDIS_PREFIX": "ours:"}
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, env=environment, capture_output=True, text=True)
    keys = done.stdout.split()
    assert len(keys) >= 3
    assert all(key.startswith("ours:") for key in keys)


def test_a_private_address_behind_a_public_name_is_refused(tmp_path: Path) -> None:
    """TWISTED_DNS_RESOLVER: without it a name that leads to this machine is connected to."""
    spider = tmp_path / "own.py"
    spider.write_text(
        SPIDER.replace('yield {"title"', 'yield scrapy.Request("http://localhost:9/")\n        yield {"title"')
    )
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-s", "ROBOTSTXT_OBEY=0"]
    command += ["-s", f"STORE=sqlite:///{tmp_path}/a.db", "-s", f"DATA_DIR={tmp_path}", "-s", "LOG_LEVEL=DEBUG"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    assert "private" in done.stderr
