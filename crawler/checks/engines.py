"""The files in settings/engines, and the keys that engines need."""

import os

from scrapy.settings import BaseSettings

from crawler.checks.base import Finding
from crawler.config.folder import settings_folder
from crawler.config.yaml_file import DeclarationError
from crawler.engines.catalog import read_catalog


def engines(settings: BaseSettings) -> list[Finding]:
    """Whether each file can be used, and whether the engines that a run asks have their keys."""
    try:
        catalog = read_catalog(settings_folder(settings) / "engines")
        chosen = catalog.chosen((), settings.getlist("METASEARCH_ENGINES"))
    except DeclarationError as error:
        return [Finding("fault", "Engines", str(error), "Put the file right; settings/engines/example.yaml explains.")]
    missing = {
        name: [key for key in engine.about.needs if not os.environ.get(key)]
        for name, engine in chosen.items()
        if any(not os.environ.get(key) for key in engine.about.needs)
    }
    findings = [
        Finding("warning", "Engines", f"{name} needs {', '.join(keys)}", "Set it in the environment, or switch it off.")
        for name, keys in missing.items()
    ]
    return [Finding("ok", "Engines", f"a search asks {', '.join(chosen)}"), *findings]
