"""All engines by name: those in code, changed and extended by the operator's files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources.abc import Traversable
from pkgutil import iter_modules

from crawler import engines as room
from crawler.config.yaml_file import DeclarationError
from crawler.engines.declared import declared_engine
from crawler.engines.protocol.engine import Engine

_NOT_ENGINES = ("catalog", "declared")


def built_in() -> dict[str, Engine]:
    """The engines in code: one for each module of this room."""
    names = [
        module.name for module in iter_modules(room.__path__) if not module.ispkg and module.name not in _NOT_ENGINES
    ]
    return {name: import_module(f"{room.__name__}.{name}").ENGINE for name in sorted(names)}


@dataclass(frozen=True, slots=True)
class Catalog:
    """Engines, and which of them the operator enabled or disabled.

    Attributes:
        engines: all of them, by name.
        on: names that a file enables; off: names that a file disables, with that file.
    """

    engines: Mapping[str, Engine]
    on: tuple[str, ...] = ()
    off: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, named: Iterable[str], usual: Iterable[str]) -> dict[str, Engine]:
        """The engines named for a run, else the usual and the enabled ones without the disabled ones, sorted by `order`.

        Raises DeclarationError for an unknown name, and for a named engine that is disabled.
        """
        names = list(dict.fromkeys(named)) or [
            name for name in dict.fromkeys([*usual, *self.on]) if name not in self.off
        ]
        if unknown := [name for name in names if name not in self.engines]:
            raise DeclarationError(f"There is no engine {unknown[0]!r}. There are: {', '.join(sorted(self.engines))}.")
        if off := [name for name in names if name in self.off]:
            raise DeclarationError(f"The engine {off[0]} is disabled in {self.off[off[0]]}.")
        if not names:
            raise DeclarationError("Every engine is disabled; name one with -a engines=NAME or METASEARCH_ENGINES.")
        return {name: self.engines[name] for name in sorted(names, key=lambda name: self.engines[name].about.order)}


def read_catalog(folder: Traversable | None) -> Catalog:
    """Engines in code and in the folder's *.yaml files. Raises DeclarationError for the first invalid file."""
    own = built_in()
    engines, on, off = dict(own), [], {}
    files = sorted(folder.iterdir(), key=lambda path: path.name) if folder is not None and folder.is_dir() else []
    for path in files:
        if not path.name.endswith(".yaml"):
            continue
        engine, is_on = declared_engine(path, own)
        engines[engine.about.name] = engine
        if is_on:
            on.append(engine.about.name)
        else:
            off[engine.about.name] = str(path)
    return Catalog(engines, tuple(on), off)
