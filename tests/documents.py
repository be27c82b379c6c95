"""Documents made for tests: PDFs whose texts use fonts that every reader knows, and Office files."""

import io
import zlib
from collections.abc import Sequence
from zipfile import ZIP_DEFLATED, ZipFile

_FONTS = (
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font "
    "/Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>] >>",
)


def pdf(
    pages: Sequence[Sequence[str]], *, title: str = "", author: str = "", created: str = "", size: int = 12
) -> bytes:
    """A PDF with these lines on each page; the first line is larger if `size` says so."""
    content = [_content(lines, size if not number else 12) for number, lines in enumerate(pages)]
    first = 5
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>"]
    fonts = f"<< /Font << /F0 {_FONTS[0]} /F1 {_FONTS[1]} >> >>"
    said = {"Title": title, "Author": author, "CreationDate": created}
    objects += ["<< >>", "<< " + " ".join(f"/{name} {_string(text)}" for name, text in said.items() if text) + " >>"]
    for number, stream in enumerate(content):
        place = first + 2 * number + 1
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources {fonts} /Contents {place} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    return _file(objects)


def bomb(size: int) -> bytes:
    """A PDF whose only page unfolds to `size` bytes."""
    packed = zlib.compress(b"BT ET " * (size // 6), 9)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R >>",
        "<< >>",
        f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n{packed.decode('latin-1')}\nendstream",
    ]
    return _file(objects)


def docx(paragraphs: Sequence[str], *, title: str = "", created: str = "") -> bytes:
    """A Word file."""
    word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    core = f"<c xmlns:d='urn:d'><d:title>{title}</d:title><d:created>{created}</d:created></c>"
    found = io.BytesIO()
    with ZipFile(found, "w", ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w:document {word}><w:body>{body}</w:body></w:document>")
        archive.writestr("docProps/core.xml", core)
    return found.getvalue()


def pptx(slides: Sequence[Sequence[str]], *, title: str = "", order: Sequence[int] = ()) -> bytes:
    """A presentation; `order` has the numbers of the slides as they are shown."""
    main = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    link = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    numbers = range(1, len(slides) + 1)
    relations = "".join(f'<Relationship Id="r{number}" Target="slides/slide{number}.xml"/>' for number in numbers)
    shown = "".join(f'<p:sldId r:id="r{number}"/>' for number in order or numbers)
    found = io.BytesIO()
    with ZipFile(found, "w", ZIP_DEFLATED) as archive:
        archive.writestr("ppt/presentation.xml", f"<p:presentation {main} {link}>{shown}</p:presentation>")
        space = "http://schemas.openxmlformats.org/package/2006/relationships"
        archive.writestr(
            "ppt/_rels/presentation.xml.rels", f'<Relationships xmlns="{space}">{relations}</Relationships>'
        )
        archive.writestr("docProps/core.xml", f"<c xmlns:d='urn:d'><d:title>{title}</d:title></c>")
        for number, lines in zip(numbers, slides, strict=True):
            text = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
            archive.writestr(f"ppt/slides/slide{number}.xml", f"<p:sld {main} {drawing}>{text}</p:sld>")
    return found.getvalue()


def _file(objects: Sequence[str]) -> bytes:
    found, places = b"%PDF-1.5\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(found))
        found += f"{number} 0 obj\n{each}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}"
    return (
        found
        + f"{head}trailer\n<< /Size {len(places) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{len(found)}\n%%EOF".encode()
    )


def _content(lines: Sequence[str], size: int) -> str:
    shown = (
        f"/F{int(not line.isascii())} {size if not number else 12} Tf {_shown(line)} 0 -18 Td"
        for number, line in enumerate(lines)
    )
    return "BT 50 780 Td " + " ".join(shown) + " ET"


def _shown(line: str) -> str:
    return f"({line}) Tj" if line.isascii() else f"<{line.encode('utf-16-be').hex()}> Tj"


def _string(text: str) -> str:
    return f"({text})" if text.isascii() else f"<feff{text.encode('utf-16-be').hex()}>"
