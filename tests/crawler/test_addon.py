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


@pytest.mark.parametrize("enabled", [False, True])
def test_the_web_server_of_the_remote_control_is_loaded_only_where_it_is_wanted(enabled: bool) -> None:
    settings = Settings({"REMOTE_CONTROL_ENABLED": enabled})
    TopicrawlAddon().update_settings(settings)
    parts = settings.get_component_priority_dict_with_base("EXTENSIONS")
    assert ("scrapy.extensions.remote_control.RemoteControl" in parts) == enabled


def test_the_settings_of_a_node_keep_every_part() -> None:
    settings = Settings()
    settings.setmodule("settings.cluster")
    TopicrawlAddon().update_settings(settings)
    assert settings.getdict("EXTENSIONS").keys() >= EXTENSIONS.keys()
