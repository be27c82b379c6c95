"""Parts of an Office file: XML in a ZIP archive (ECMA-376)."""

from xml.etree import ElementTree
from zipfile import ZipFile

_MAX_PART_BYTES = 50_000_000
"""Bytes of one part of the archive."""
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


def part_of(archive: ZipFile, name: str) -> ElementTree.Element:
    """The root of a part; KeyError without it, ValueError for one that is too large, ElementTree.ParseError for a broken one."""
    with archive.open(name) as part:
        found = part.read(_MAX_PART_BYTES + 1)
    if len(found) > _MAX_PART_BYTES:
        raise ValueError(f"{name} is larger than {_MAX_PART_BYTES:,} bytes")
    return ElementTree.fromstring(found)


def properties_of(archive: ZipFile) -> dict[str, str]:
    """Title, creator, created and modified, as far as the file has them."""
    try:
        root = part_of(archive, "docProps/core.xml")
    except (KeyError, ElementTree.ParseError):
        return {}
    return {element.tag.rpartition("}")[2]: " ".join((element.text or "").split()) for element in root}


def targets_of(archive: ZipFile, folder: str, name: str) -> dict[str, str]:
    """The parts referenced by the part `name` of a folder, by their identifiers."""
    relations = part_of(archive, f"{folder}/_rels/{name}.rels").iter(_RELATION)
    targets = ((each.get("Id", ""), each.get("Target", "")) for each in relations)
    return {key: target[1:] if target.startswith("/") else f"{folder}/{target}" for key, target in targets}
