"""Answers with their headers, as the archive of a crawl (WARC_DIR) has them."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from pipelines.warc.exchange import clean_url

_MAX_BYTES = 200_000_000
_KINDS = ("response", "revisit", "request")


def archived_answers(folder: Path, urls: Collection[str]) -> dict[str, bytes]:
    """By address: its requests and answers, each the compressed member as it stands in the archive, oldest first.

    Reads all files of the folder, also one that is still written. Empty without the extra `warc`; addresses beyond 200 MB in all are
    left out.
    """
    wanted, found, size = {clean_url(url): url for url in urls}, dict[str, bytes](), 0
    for path in sorted(path for path in folder.rglob("*.warc.gz*") if path.is_file()):
        for address, member in _members(path, wanted):
            size += len(member)
            if size <= _MAX_BYTES:
                found[wanted[address]] = found.get(wanted[address], b"") + member
    return found


def _members(path: Path, wanted: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """The wanted address, and the bytes, of each member of a file up to its first broken one."""
    try:
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed
    except ImportError:
        return
    with path.open("rb") as file, path.open("rb") as copy, suppress(ArchiveLoadFailed, EOFError, OSError):
        archive = ArchiveIterator(file, no_record_parse=True)
        for record in archive:
            address = record.rec_headers.get_header("WARC-Target-URI")
            if record.rec_type in _KINDS and address in wanted:
                record.content_stream().read()
                archive.read_to_end(record)
                copy.seek(archive.get_record_offset())
                yield address, copy.read(archive.get_record_length())
