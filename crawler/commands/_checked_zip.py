"""A zip with a list of its members' SHA-256, of which a changed byte is noticed."""

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

LIST = "manifest.json"
_FORMAT = 1
_MAX_LIST_BYTES = 16 * 2**20
_CHUNK_BYTES = 2**20


class CheckedZipError(Exception):
    """A file cannot be read or used; the message says why."""


class CheckedZipWriter:
    """Writes one file; without `close` it has no list, and is refused."""

    def __init__(self, out: BinaryIO, kind: str) -> None:
        self._zip = ZipFile(out, "w", ZIP_DEFLATED, compresslevel=1)
        self._kind = kind
        self._digests: dict[str, str] = {}

    def add(self, name: str, parts: Iterable[bytes]) -> None:
        digest = hashlib.sha256()
        with self._zip.open(name, "w", force_zip64=True) as member:
            for part in parts:
                digest.update(part)
                member.write(part)
        self._digests[name] = digest.hexdigest()

    def add_file(self, name: str, path: Path) -> None:
        with path.open("rb") as file:
            self.add(name, iter(lambda: file.read(_CHUNK_BYTES), b""))

    def close(self, **facts: Any) -> str:
        """The SHA-256 of the list, which stands for the whole file. `facts` stand in the list."""
        known = {"kind": self._kind, "format": _FORMAT, "made_at": datetime.now(UTC).isoformat(timespec="seconds")}
        text = json.dumps(known | facts | {"sha256": self._digests}, indent=1, ensure_ascii=False).encode()
        self._zip.writestr(LIST, text)
        self._zip.close()
        return hashlib.sha256(text).hexdigest()


class CheckedZipReader:
    """A file whose members all have the digests of its list.

    Attributes:
        archive: to open members with. facts: of the list. digest: the SHA-256 of the list.

    Raises:
        CheckedZipError: it is not of that kind, of a newer version, or changed.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self.facts: dict[str, Any] = {}
        try:
            self.archive = ZipFile(path)
        except (OSError, BadZipFile, ValueError) as error:
            raise CheckedZipError(f"{path} is not a whole {kind}: {error}") from None
        try:
            self._check(path, kind)
        except BaseException:
            self.archive.close()
            raise

    def _check(self, path: Path, kind: str) -> None:
        text = self._list_text(path, kind)
        self.digest = hashlib.sha256(text).hexdigest()
        with suppress(ValueError, RecursionError):
            found = json.loads(text)
            self.facts = found if isinstance(found, dict) else {}
        digests = self.facts.get("sha256")
        if not isinstance(digests, dict) or self.facts.get("format") != _FORMAT or self.facts.get("kind") != kind:
            raise CheckedZipError(f"{path} is no {kind} of this version, or damaged")
        names = self.archive.namelist()
        if sorted([*digests, LIST]) != sorted(names):
            raise CheckedZipError(f"{path} has members that its list lacks, or the reverse: it was changed")
        for name, digest in digests.items():
            if self._digest_of(name) != digest:
                raise CheckedZipError(f"{path} was changed or damaged: {name} is not what was written")

    def _list_text(self, path: Path, kind: str) -> bytes:
        try:
            with self.archive.open(LIST) as member:
                return member.read(_MAX_LIST_BYTES)
        except Exception:  # zlib, zipfile and the file each have their own
            raise CheckedZipError(f"{path} is not a whole {kind}: its list cannot be read") from None

    def _digest_of(self, name: str) -> str:
        digest = hashlib.sha256()
        try:
            with self.archive.open(name) as member:
                while part := member.read(_CHUNK_BYTES):
                    digest.update(part)
        except Exception:  # zlib, zipfile and the file each have their own
            return ""
        return digest.hexdigest()

    def close(self) -> None:
        self.archive.close()
