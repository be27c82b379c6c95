"""The title index in one file, so that a start need not read all titles from the store."""

import logging
from pathlib import Path

from extractors.titles import SnapshotError
from extractors.titles.snapshot import check, compressed, decompressed
from pipelines.titles.comparer import TitleComparer

_MAGIC = b"TITLEINDEX\x01"
_logger = logging.getLogger(__name__)


def write_snapshot(path: Path, comparer: TitleComparer, place: int, generation: str) -> None:
    """Replace the file. A crawl works without one, so a full disk is only a warning.

    Args:
        place: of the latest title in the comparer. generation: which order of titles of the store this place belongs to.
    """
    head = {"place": place, "generation": generation, "description": comparer.description}
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(compressed(_MAGIC, head | comparer.state()))
        part.replace(path)
    except OSError as error:
        _logger.warning("The title index is not saved in %s (%s); the next start reads the store instead.", path, error)


def read_snapshot(path: Path, comparer: TitleComparer, generation: str) -> int:
    """Load the file into an empty comparer; returns its place, or 0 without a matching file, with a warning if it is damaged."""
    try:
        data = path.read_bytes()
        check(data, _MAGIC)
        body = decompressed(_MAGIC, data)
        if (body["generation"], body["description"]) != (generation, comparer.description):
            return 0
        place = int(body["place"])
        comparer.load(body)
    except FileNotFoundError:
        return 0
    except (OSError, SnapshotError, KeyError, TypeError, ValueError) as error:
        _logger.warning("%s cannot be used (%s); the title index is rebuilt from the store.", path, error)
        return 0
    return place
