"""Nobody's words are under another's name."""

import gzip
import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.page import Page
from extractors.records import Record, extract, find_records
from extractors.records.read.repeated import weight
from pipelines.discussion import record_rows
from testbed.shared_data import SHARED
from tests.extractors.records.engines.content import NOW, Post, posts
from tests.extractors.records.engines.nesting import PLACES, QUOTES, WORDS, Shape, thread
from tests.extractors.records.engines.streams import BOXES, originals, stream

_SAID = 12
"""Chinese characters that nobody repeats by chance."""


def in_two(said: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of (author, own text) the pairs of texts, one of which has another person's text and more."""
    plain = [(author, " ".join(text.split())) for author, text in said]
    return [
        (whole, text)
        for author, text in plain
        if weight(text) >= _SAID
        for other, whole in plain
        if other != author and len(whole) > len(text) and text in whole
    ]


def read(content: Sequence[Post], shape: Shape) -> tuple[Record, ...]:
    body = f"<html><head><meta charset=utf-8></head><body>{thread(content, shape)}</body></html>".encode()
    return extract(Page(body, "http://bbs.example/thread-7.html", fetched_at=NOW)).records


def conversation(seed: int, count: int = 9) -> list[Post]:
    """Posts of which 2 and 3 answer 1, 5 answers 4; 4 and 5 quote."""
    made = posts(seed, count)
    answered = {2: 1, 3: 1, 5: 4}
    quoted = {4: 1, 5: 0}
    return [
        replace(post, parent=answered.get(at, -1), quote=made[quoted[at]].text if at in quoted else "")
        for at, post in enumerate(made)
    ]


def bare(text: str) -> str:
    return re.sub(r"\W", "", text)


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("alike", [True, False])
def test_answers_inside_of_records_are_records_of_their_authors(
    words: tuple[str, ...], place: str, alike: bool
) -> None:
    content = conversation(3)
    records = read(content, Shape(words, place, "blockquote", alike))
    assert [(record.author, bare(record.own_text)) for record in records] == [
        (post.author, bare(post.text)) for post in content
    ]
    assert [record.parent for record in records] == [post.parent for post in content]
    assert [record.is_first for record in records] == [True, *[False] * (len(content) - 1)]


@pytest.mark.parametrize("quote", QUOTES[1:])
def test_what_is_quoted_is_no_own_text(quote: str) -> None:
    content = conversation(4)
    records = read(content, Shape(quote=quote))
    assert [bare(record.own_text) for record in records] == [bare(post.text) for post in content]
    if quote != "signed":  # the text is found beside such a quote
        assert all(bare(post.quote) in bare(record.quote) for post, record in zip(content, records, strict=True))


def test_a_quote_in_words_alone_answers_its_author() -> None:
    content = [replace(post, parent=-1) for post in conversation(4)]
    records = read(content, Shape(quote="words"))
    assert [record.parent for record in records][4:6] == [1, 0]


@pytest.mark.parametrize("box", BOXES)
def test_what_is_passed_on_is_not_the_words_of_who_does(box: str) -> None:
    content = posts(3, 8)
    older = originals(content, posts(11, 3), (1, 4, 6))
    body = f"<html><head><meta charset=utf-8></head><body>{stream(content, older, box)}</body></html>".encode()
    records = extract(Page(body, "http://wb.example/home", fetched_at=NOW)).records
    own = {record.author: record for record in records}
    assert [bare(own[post.author].own_text) for post in content] == [bare(post.text) for post in content]
    assert [own[post.author].likes for post in content] == [str(post.number * 7 + 1) for post in content]
    for number, post in older.items():
        if "quote" not in box:
            assert bare(own[post.author].own_text) == bare(post.text)
            assert own[post.author].parent == -1
            assert records[own[content[number].author].parent].author == post.author


@settings(max_examples=40)
@given(
    st.builds(
        Shape,
        st.sampled_from(WORDS),
        st.sampled_from(PLACES),
        st.sampled_from(QUOTES),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.sampled_from(("div", "li")),
    ),
    st.integers(0, 10**6),
    st.integers(2, 14),
)
def test_no_words_under_two_names_in_any_thread(shape: Shape, seed: int, count: int) -> None:
    chance, top, content = random.Random(seed), -1, list[Post]()
    for post in posts(seed, count):
        answer = top >= 0 and chance.random() < 0.5
        top = top if answer else post.number
        quote = chance.choice(content).text if content and chance.random() < 0.4 else ""
        content.append(replace(post, parent=top if answer else -1, quote=quote))
    records = read(content, shape)
    assert in_two([(record.author, record.own_text) for record in records]) == []
    assert all(-1 <= record.parent < len(records) and record.parent != at for at, record in enumerate(records))


@pytest.mark.shared
def test_no_words_under_two_names_on_known_pages() -> None:
    wrong = []
    for folder in sorted(path for path in (SHARED / "data/records").iterdir() if path.is_dir()):
        for row in map(json.loads, gzip.decompress((folder / "gold.jsonl.gz").read_bytes()).splitlines()):
            body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
            records = find_records(body, url=row.get("url") or f"http://{row['site']}/")
            wrong += [(row["id"], pair) for pair in in_two([(each.author, each.own_text) for each in records])]
    assert wrong == []


def test_stored_words_have_one_author() -> None:
    """What a row's text has beside its quote is nobody else's, and an answer's parent is stored."""
    shapes = [Shape(words, place, quote) for words in WORDS[:2] for place in PLACES[:2] for quote in QUOTES]
    for shape in shapes:
        body = f"<html><head><meta charset=utf-8></head><body>{thread(conversation(5), shape)}</body></html>".encode()
        rows = record_rows(extract(Page(body, "http://bbs.example/t/7", fetched_at=NOW)), "page", NOW.isoformat())
        own = [(row["author"], without(row["text"], row["quote"])) for row in rows]
        assert in_two(own) == []
        keys = {row["key"] for row in rows}
        assert all(row["parent"] in keys for row in rows if row["parent"])
        assert len(keys) == len(rows)


def without(text: str, quote: str) -> str:
    """What a stored text has beside its quote."""
    for line in chain.from_iterable(part.split("\n") for part in (quote,)):
        text = text.replace(line, " ") if line else text
    return text
