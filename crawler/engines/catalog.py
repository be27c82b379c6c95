"""All engines by their names: those in code, then those that an operator has written down."""

from importlib import import_module
from pathlib import Path

from crawler.engines.base import Engine
from crawler.engines.declared import declared_engine

NAMES = (
    "baidu", "baidu_json", "baidu_news", "bing", "bing_news", "brave", "brave_api", "commoncrawl", "duckduckgo", "gdelt",
    "google", "google_api", "mediawiki", "mojeek", "quark", "rss", "searxng", "so360", "sogou", "sogou_weixin", "yahoo",
    "yandex",
)  # fmt: skip


def built_in() -> dict[str, Engine]:
    """The engines in code."""
    return {name: import_module(f"crawler.engines.{name}").ENGINE for name in NAMES}


def all_engines(folder: Path | None) -> dict[str, Engine]:
    """Those in code, then the folder's *.yaml, which win over a name in code; `enabled: false` takes one away.

    Raises DeclarationError for the first file that cannot be used.
    """
    engines = built_in()
    for path in sorted(folder.glob("*.yaml")) if folder and folder.is_dir() else ():
        engine, is_on = declared_engine(path)
        engines.pop(path.stem, None)
        if is_on:
            engines[path.stem] = engine
    return engines
