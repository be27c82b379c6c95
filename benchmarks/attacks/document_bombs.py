"""PDF and Office files that unfold to hundreds of megabytes: reading ends at its limits of time and memory."""

import io
import resource
import time
import zlib
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

from benchmarks.attacks import SKIPPED, Trial, outcome
from extractors.documents import DocumentError, DocumentLimits, read_apart
from extractors.documents.kinds import DocumentType

_LIMITS = DocumentLimits(seconds=10.0, memory=400_000_000)
_SLACK_SECONDS, _SLACK_BYTES = 3.0, 100_000_000
_PARTS: dict[DocumentType, str] = {
    "docx": "word/document.xml",
    "pptx": "ppt/presentation.xml",
    "xlsx": "xl/workbook.xml",
}


def attack(folder: Path, trial: Trial) -> str:
    """A bomb of each kind, and each Office file with entities that name each other."""
    for package in ("openpyxl", "pypdfium2"):
        if find_spec(package) is None:
            return f"{SKIPPED}: {package} is not installed (topicrawl[documents])"
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # its children are the readers alone
        results, slowest, peak = pool.submit(_read_all, trial).result()
    return outcome(
        f"{', '.join(results)}; {slowest:.1f} s and {peak >> 20} MB at most",
        "too slow" if slowest > _LIMITS.seconds + _SLACK_SECONDS else "",
        "too much memory" if peak > _LIMITS.memory + _SLACK_BYTES else "",
    )


def _read_all(trial: Trial) -> tuple[list[str], float, int]:
    """What became of each, the seconds of the slowest, and the resident bytes of the largest process."""
    chance, slowest, results = trial.chance(), 0.0, list[str]()
    bombs: list[tuple[DocumentType, bytes]] = [("pdf", _pdf(chance.randrange(200, 500) << 20))]
    bombs += [(kind, _office(part, chance)) for kind, part in _PARTS.items()]
    bombs += [(kind, _office(part, None)) for kind, part in _PARTS.items()]
    for kind, body in bombs:
        began = time.monotonic()
        try:
            read_apart(body, kind, _LIMITS)
            results.append(f"{kind} read")
        except DocumentError:
            results.append(f"{kind} refused")
        slowest = max(slowest, time.monotonic() - began)
    return results, slowest, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1_024


def _office(part: str, chance: Random | None) -> bytes:
    """A part of random size made of one letter; without chance, entities that name each other ten times, ten deep."""
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        if chance is None:
            entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
            archive.writestr(part, f'<!DOCTYPE a [<!ENTITY e0 "x">{entities}]><a>&e9;</a>')
        else:
            with archive.open(part, "w") as file:
                file.write(b"<a>")
                for _ in range(chance.randrange(200, 500)):
                    file.write(b"a" * (1 << 20))
    return made.getvalue()


def _pdf(size: int) -> bytes:
    packer, chunk = (
        zlib.compressobj(9),
        b"BT ET " * 100_000,
    )  # in parts: a process begins with the memory of the one that starts it
    packed = b"".join([*(packer.compress(chunk) for _ in range(size // len(chunk))), packer.flush()])
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>"]
    objects += [b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>"]
    objects += [b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, each) for number, each in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer << /Root 1 0 R /Size 5 >>\n%%EOF"
