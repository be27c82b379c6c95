"""A page's bytes: the compiled extension reads them by Python's rules."""

from hypothesis import example, given
from hypothesis import strategies as st

from extractors.html.encoding import utf8_length
from extractors.html.parsing import long_heads
from extractors.kernels import forms
from tests.extractors.kernels.both_forms import needs_extension

pytestmark = needs_extension

CHARACTERS = st.text(st.characters(), max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass"))
PIECES = st.one_of(CHARACTERS, st.binary(max_size=5), st.sampled_from([b"a" * 9, "中".encode() * 5, b"\xed\xa0\x80"]))


@given(st.lists(PIECES, max_size=8).map(b"".join))
def test_utf8_of_any_bytes(body: bytes) -> None:
    assert utf8_length(body) == forms["utf8_length"].numpy(body)


def test_utf8_at_every_edge() -> None:
    firsts = [*range(0x7E, 0x82), *range(0xBE, 0xC4), *range(0xDE, 0xF8), 0xFF]
    seconds = (0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    whole = [bytes((first, second, 0x80, 0xBF)) for first in firsts for second in seconds]
    bodies = [body[:size] + end for body in whole for size in range(1, 5) for end in (b"", b"A")]
    found = [utf8_length(body) for body in bodies]
    assert found == [forms["utf8_length"].numpy(body) for body in bodies]
    assert any(0 < characters < len(body) - 1 for characters, body in zip(found, bodies, strict=True))


ATTRIBUTES = st.sampled_from(
    [
        *(
            b"<a ",
            b"<",
            b"<1 ",
            b">",
            b" b",
            b" b=c",
            b" b = 'c d'",
            b' b="<c>"',
            b' "',
            b" '",
            b"=",
            b"/",
            b"b=",
            b"\x0b",
            b"\xa0",
        ),
        b"x" * 9,
    ]
)


@given(st.lists(ATTRIBUTES, max_size=40).map(b"".join), st.integers(0, 12), st.integers(0, 4))
@example(b'<a  "', 0, 0)
def test_tags_with_many_attributes(source: bytes, distance: int, most: int) -> None:
    assert long_heads(source, distance, most) == forms["long_heads"].numpy(source, distance, most)
