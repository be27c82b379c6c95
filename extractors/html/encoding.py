"""Decodes a page in its actual charset, whatever it declares."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from charset_normalizer import from_bytes
from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import http_content_type_encoding, read_bom, resolve_encoding

from extractors.kernels import kernel

_MAX_HEAD_BYTES = 16_384
_MAX_SAMPLE_BYTES = 65_536
_MAX_SECOND_BYTES = 4_096
_META = re.compile(rb"<(?:meta|\?xml)[^>]{0,400}?(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?\s{0,9}([\w.:-]{2,40})", re.I)
_HIGH_RUNS = re.compile(rb"[\x80-\xff](?:[\x21-\xff]{0,80}[\x80-\xff])?")
_MAX_UNREAD_SHARE = 0.02
"""A charset is accepted if at most this share of the non-ASCII text is unreadable in it."""
_MAX_STRAY_CHARS = 3
"""One or two damaged bytes become up to three unreadable characters, even in a short text."""
_MIN_SEQUENCES = 6
"""Fewer multi-byte sequences may be valid UTF-8 by chance."""
_COMMON = frozenset(
    "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市"
    "這來個國說們為時會過學對後麼於還發當開見經頭兩長樣現將與進實點種聲話兒問機給幾業間電門東氣關並內產萬"
)
_LAST_CODE = 0xFFFF
_IS_COMMON = np.zeros(_LAST_CODE + 1, np.bool_)
_IS_COMMON[[ord(character) for character in _COMMON]] = True
_MIN_CHINESENESS = 0.25
"""In Chinese text nearly half of the characters are common ones; in other bytes read as Chinese, less than a tenth."""


@dataclass(frozen=True)
class Decoded:
    """A page's bytes and their Python codec; `clean`: every byte is valid in it."""

    body: bytes
    charset: str
    clean: bool

    @cached_property
    def text(self) -> str:
        """The text, decoded on first use; invalid bytes become U+FFFD."""
        return codecs.decode(self.body, self.charset, "strict" if self.clean else "replace")


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Text of `body`: by its byte order mark, the HTTP header, its meta element, else by the look of the bytes.

    A header or meta that the bytes contradict is ignored. gb2312 and gbk are read as gb18030, Big5 with its Hong
    Kong additions, latin-1 as cp1252. Never raises; invalid bytes become U+FFFD.
    """
    marked, mark = read_bom(body)
    if marked and mark:
        return _read(body[len(mark) :], _python_name(marked) or "utf-8")
    if body.isascii():
        return _read_ascii(body)
    utf8 = Decoded(body, "utf-8", True)
    characters = utf8_length(body)
    if len(body) - characters >= 3 * _MIN_SEQUENCES and characters >= 0:  # each non-ASCII character adds one byte
        return utf8
    declared = list(dict.fromkeys(_declared(body, content_type)))
    if characters >= 0 and not (declared and declared[0] != "utf-8" and _by_chance(body)):
        return utf8
    for charset in declared:
        read = _read(body, charset)
        if _believable(read, body):
            return read
    return _read(body, detect(body))


def detect(body: bytes) -> str:
    """The most likely Python codec of the bytes, from a sample of the non-ASCII ones."""
    if _unread_share(_read(body[:_MAX_SAMPLE_BYTES], "utf-8").text) <= _MAX_UNREAD_SHARE:
        return "utf-8"
    sample = b"\n".join(_HIGH_RUNS.findall(body[: 16 * _MAX_SAMPLE_BYTES]))[:_MAX_SAMPLE_BYTES]
    guess = _python_name(detect_encoding(body[: 4 * _MAX_SAMPLE_BYTES])) or "cp1252"
    chinese = {codec: _chineseness(sample, codec) for codec in ("gb18030", "big5hkscs")}
    best = max(chinese, key=lambda codec: chinese[codec])
    if chinese[best] > _MIN_CHINESENESS or guess in chinese:
        return best
    return guess if guess != "utf-8" else _second_opinion(sample)


def _second_opinion(sample: bytes) -> str:
    """For bytes that the quick detector wrongly calls UTF-8."""
    found = from_bytes(sample[:_MAX_SECOND_BYTES]).best()
    return (_python_name(found.encoding) if found else "") or "cp1252"


def _read(body: bytes, charset: str) -> Decoded:
    try:  # decoding with replacements takes far longer
        text = codecs.decode(body, charset)
    except UnicodeError:
        return Decoded(body, charset, False)
    read = Decoded(body, charset, True)
    read.__dict__["text"] = text
    return read


@kernel
def utf8_length(body: bytes) -> int:
    """The number of characters of these bytes as UTF-8, −1 if they are not valid."""
    try:
        return len(body.decode("utf-8"))
    except UnicodeDecodeError:
        return -1


def _read_ascii(body: bytes) -> Decoded:
    """ASCII may still hide a stateful charset such as ISO-2022-JP, recognised by its escapes."""
    if b"\x1b$" in body:
        return _read(body, "iso2022_jp")
    if b"~{" in body and b"hz-gb-2312" in body[:_MAX_HEAD_BYTES].lower():
        return _read(body, "hz")
    return Decoded(body, "utf-8", True)


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    header = http_content_type_encoding(content_type) if content_type else None
    if header and (name := _python_name(header)):
        yield name
    for found in _META.finditer(body[:_MAX_HEAD_BYTES]):
        if name := _python_name(found.group(1).decode("ascii", "replace")):
            yield "utf-8" if name.startswith(("utf-16", "utf-32")) else name


def _python_name(label: str | None) -> str:
    name = resolve_encoding(label) if label else None
    if not name:
        return ""
    try:
        info = codecs.lookup(name)
    except LookupError:
        return ""
    if not getattr(info, "_is_text_encoding", True) or info.name in ("undefined", "idna", "punycode", "unicode_escape"):
        return ""
    return info.name


def _by_chance(body: bytes) -> bool:
    """Whether there are so few non-ASCII bytes that valid UTF-8 proves little."""
    return len(body) - len(body.translate(None, bytes(range(0x80, 0x100)))) < 3 * _MIN_SEQUENCES


def _believable(read: Decoded, body: bytes) -> bool:
    if _unread_share(read.text) > _MAX_UNREAD_SHARE:
        return False
    if read.charset in ("gb18030", "big5hkscs"):
        other = "big5hkscs" if read.charset == "gb18030" else "gb18030"
        sample = b"\n".join(_HIGH_RUNS.findall(body[:_MAX_SAMPLE_BYTES]))
        return _chineseness(sample, read.charset) + 0.1 >= _chineseness(sample, other)
    return read.charset == "utf-8" or not _looks_chinese(body)


def _unread_share(text: str) -> float:
    unread = text.count("\ufffd")
    if not unread:
        return 0.0
    share = unread / max(1, len(text) - len(text.encode("ascii", "ignore")))
    return 0.0 if unread <= _MAX_STRAY_CHARS and share < 0.1 else share


def _looks_chinese(body: bytes) -> bool:
    """Whether the bytes above 127 are plausible as Chinese."""
    sample = b"\n".join(_HIGH_RUNS.findall(body[: 4 * _MAX_SAMPLE_BYTES]))[:_MAX_SAMPLE_BYTES]
    return max(_chineseness(sample, codec) for codec in ("gb18030", "big5hkscs")) > _MIN_CHINESENESS


def _chineseness(sample: bytes, codec: str) -> float:
    """The share of the most common Chinese characters in the non-ASCII text, minus the unreadable share."""
    text = sample.decode(codec, "replace")
    codes = np.minimum(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32), _LAST_CODE)
    foreign = np.count_nonzero(codes > 0x7F)
    if not foreign:
        return 0.0
    unread = np.count_nonzero(codes == 0xFFFD)
    return (int(np.count_nonzero(_IS_COMMON[codes])) - 3 * int(unread)) / int(foreign)
