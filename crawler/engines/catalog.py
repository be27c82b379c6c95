"""All engines by their names: those in code, and what an operator has written down of these and of others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources.abc import Traversable

from crawler.config.yaml_file import DeclarationError
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


@dataclass(frozen=True, slots=True)
class Catalog:
    """Engines with their manners.

    Attributes:
        engines: all of them, by name.
        on: names that a file has switched on; off: names that a file has switched off, and which file.
    """

    engines: Mapping[str, Engine]
    on: tuple[str, ...] = ()
    off: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, named: Iterable[str], usual: Iterable[str]) -> dict[str, Engine]:
        """Those named for a run, else the usual ones and those switched on, without those switched off; in their order.

        Raises DeclarationError for a name that is not there, and for a named engine that is switched off.
        """
        names = list(dict.fromkeys(named)) or [
            name for name in dict.fromkeys([*usual, *self.on]) if name not in self.off
        ]
        if unknown := [name for name in names if name not in self.engines]:
            raise DeclarationError(f"There is no engine {unknown[0]!r}. There are: {', '.join(sorted(self.engines))}.")
        if off := [name for name in names if name in self.off]:
            raise DeclarationError(f"The engine {off[0]} is switched off in {self.off[off[0]]}.")
        if not names:
            raise DeclarationError("Every engine is switched off; name one with -a engines=NAME or METASEARCH_ENGINES.")
        return {name: self.engines[name] for name in sorted(names, key=lambda name: self.engines[name].about.order)}


def read_catalog(folder: Traversable | None) -> Catalog:
    """Those in code, then the folder's *.yaml. Raises DeclarationError for the first file that cannot be used."""
    own = built_in()
    engines, on, off = dict(own), [], {}
    there = sorted(folder.iterdir(), key=lambda path: path.name) if folder is not None and folder.is_dir() else []
    for path in there:
        if not path.name.endswith(".yaml"):
            continue
        engine, is_on = declared_engine(path, own)
        engines[engine.about.name] = engine
        if is_on:
            on.append(engine.about.name)
        else:
            off[engine.about.name] = str(path)
    return Catalog(engines, tuple(on), off)
