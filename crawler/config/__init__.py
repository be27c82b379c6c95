"""Arguments of spiders, the YAML files of the settings folder (sites, topics, hours), and sentences and help in Chinese."""

from crawler.config.translated_help import translate_help
from crawler.config.translation import environment_language, in_chinese, shown, with_values

__all__ = [
    "arguments",
    "crawl_names",
    "environment_language",
    "given_settings",
    "hours",
    "in_chinese",
    "settings_check",
    "shown",
    "sites",
    "topics",
    "translate_help",
    "with_values",
    "yaml_file",
]
