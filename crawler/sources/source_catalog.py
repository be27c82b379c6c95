"""All sources by name: those that come with the project, and the operator's, which take their place."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from importlib.resources.abc import Traversable

from scrapy.settings import BaseSettings

from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.sources.list_addresses import AddressPattern, ListAddress, first_addresses
from crawler.sources.source_file import Source, declared_source
from crawler.sources.templates import KeyMissingError

logger = logging.getLogger(__name__)
FOLDER = "sources"


@dataclass(frozen=True, slots=True)
class SourceCatalog:
    """Sources by name.

    Attributes:
        patterns: of their addresses, the most specific first.
    """

    sources: Mapping[str, Source] = field(default_factory=dict)
    patterns: tuple[tuple[AddressPattern, Source], ...] = ()

    def named(self, names: Iterable[str]) -> tuple[Source, ...]:
        """The sources of these names. Raises DeclarationError for an unknown one."""
        found = []
        for name in dict.fromkeys(names):
            if name not in self.sources:
                there = ", ".join(sorted(self.sources)) or "none"
                raise DeclarationError(
                    f"There is no source {name!r}: settings/sources/{name}.yaml. There are: {there}."
                )
            found.append(self.sources[name])
        return tuple(found)

    def of(self, url: str) -> ListAddress | None:
        """The source whose address this is, with the values of its fields; None for an address of no source."""
        for pattern, source in self.patterns:
            if (values := pattern.match(url)) is not None:
                return ListAddress(source, url, values)
        return None

    def first_addresses(self, sources: Iterable[Source], now: datetime) -> Iterator[ListAddress]:
        """The first pages of these sources at this moment. Raises KeyMissingError."""
        for source in sources:
            yield from first_addresses(source, now)


def read_sources(settings: BaseSettings) -> SourceCatalog:
    """The sources of the settings folder, and those of the project. Raises DeclarationError for the first invalid file."""
    paths = {path.name: path for folder in _folders(settings) for path in _files(folder)}
    sources = {source.name: source for source in map(declared_source, paths.values())}
    patterns = sorted(((AddressPattern(each), each) for each in sources.values()), key=lambda pair: -pair[0].length)
    return SourceCatalog(dict(sorted(sources.items())), tuple(patterns))


def check_sources(names: Iterable[str], settings: BaseSettings) -> None:
    """Raises ValueError, with a message for the operator, for an invalid file, an unknown source and a missing variable."""
    catalog = read_sources(settings)
    for source in catalog.named(names):
        try:
            for address in catalog.first_addresses([source], datetime.now(UTC)):
                address.headers()
        except KeyMissingError as error:
            raise DeclarationError(f"The source {source.name}: {error}") from None


def _folders(settings: BaseSettings) -> tuple[Traversable, ...]:
    return files("settings") / FOLDER, settings_folder(settings) / FOLDER


def _files(folder: Traversable) -> list[Traversable]:
    there = folder.iterdir() if folder.is_dir() else ()
    return sorted((path for path in there if path.name.endswith(".yaml")), key=lambda path: path.name)
