"""Arguments of spiders, and the YAML files of the settings folder: sites, topics, hours."""

__all__ = [
    "arguments",
    "crawl_names",
    "given_settings",
    "hours",
    "settings_check",
    "sites",
    "topics",
    "yaml_file",
]
