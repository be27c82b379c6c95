"""Arguments of spiders, the YAML files of the settings folder (sites, topics, hours), and sentences in Chinese."""

from crawler.config.translation import environment_language, in_chinese

__all__ = [
    "arguments",
    "crawl_names",
    "environment_language",
    "given_settings",
    "hours",
    "in_chinese",
    "settings_check",
    "sites",
    "topics",
    "yaml_file",
]
