"""The add-on adds its parts to what an operator has set, and takes nothing away."""

import pytest
from scrapy.settings import Settings

from crawler.addon import EXTENSIONS, ITEM_PIPELINES, TopicrawlAddon


@pytest.mark.parametrize("priority", ["default", "project", "spider", "cmdline"])
def test_own_parts_stand_beside_ours(priority: str) -> None:
    settings = Settings()
    settings.set("EXTENSIONS", {"own.Extension": 5, "crawler.extensions.runs.Runs": None}, priority)
    TopicrawlAddon().update_settings(settings)
    expected = EXTENSIONS | {"own.Extension": 5, "crawler.extensions.runs.Runs": None}
    assert dict(settings.getdict("EXTENSIONS")) == expected
    assert dict(settings.getdict("ITEM_PIPELINES")) == ITEM_PIPELINES


def test_the_settings_of_a_node_keep_every_part() -> None:
    settings = Settings()
    settings.setmodule("settings.cluster")
    TopicrawlAddon().update_settings(settings)
    assert settings.getdict("EXTENSIONS").keys() >= EXTENSIONS.keys()
