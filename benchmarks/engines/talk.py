"""Talks in ten languages, put together from `texts.yaml`: the same for the same seed."""

import random
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

LANGUAGES: dict[str, Any] = {
    language: {part: value.split(" / ") if isinstance(value, str) else value for part, value in texts.items()}
    for language, texts in yaml.safe_load((Path(__file__).parent / "texts.yaml").read_text(encoding="utf-8")).items()
}
_UNSPACED = ("zh", "zh-hant", "ja")
_NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
_MAX_SENTENCES, _MAX_PARAGRAPHS = 5, 3


@dataclass(frozen=True, slots=True)
class Post:
    """One post; `quote` is from the post before, "" for none."""

    number: int
    author: str
    pictured: bool
    time: datetime
    quoted: str
    quote: str
    paragraphs: list[str]
    signature: str
    votes: int

    def html(self) -> str:
        """The body as markup."""
        quote = f"<blockquote><p>{self.quote}</p></blockquote>" if self.quote else ""
        return quote + "".join(f"<p>{each}</p>" for each in self.paragraphs)

    def text(self) -> str:
        """The body as text."""
        return " ".join((self.quote, *self.paragraphs)).strip()


@dataclass(frozen=True, slots=True)
class Topic:
    """A thread: its posts, or its line in a list."""

    language: str
    title: str
    author: str
    time: datetime
    replies: int
    views: int
    last_author: str
    last_time: datetime
    posts: list[Post]

    @property
    def words(self) -> dict[str, str]:
        """Words of its language on buttons."""
        found: dict[str, str] = LANGUAGES[self.language]["words"]
        return found

    def as_data(self) -> dict[str, Any]:
        """All that a template in another language needs."""
        data = asdict(self)
        for made, post in zip(data["posts"], self.posts, strict=True):
            made |= {"html": post.html(), "text": post.text(), "time": post.time.isoformat()}
        times = {"time": self.time.isoformat(), "last_time": self.last_time.isoformat()}
        return data | times | {"words": self.words, "teaser": self.posts[-1].paragraphs[0]}


def topic(language: str, seed: str, posts: int) -> Topic:
    """A made thread; `posts` is how many it has."""
    chance = random.Random(f"{language} {seed}")
    said = LANGUAGES[language]
    start = _NOW - timedelta(minutes=chance.randint(40_000, 900_000))
    made: list[Post] = []
    for number in range(posts):
        start += timedelta(minutes=chance.randint(3, 2_000))
        made.append(_post(chance, said, number, start, made))
    space = "" if language in _UNSPACED else " "
    title = _sentence(space, [chance.choice(said[part]) for part in ("begins", "middles", "ends")])
    last = made[-1]
    return Topic(
        language, title.strip(".。"), made[0].author, made[0].time, len(made) - 1, chance.randint(20, 30_000),
        last.author, last.time, made,
    )  # fmt: skip


def _post(chance: random.Random, said: dict[str, Any], number: int, time: datetime, before: list[Post]) -> Post:
    author = chance.choice(said["names"])
    quoted = before[-1] if before and chance.random() < 0.2 else None
    if number and chance.random() < 0.25:
        paragraphs = [chance.choice(said["brief"])]
    else:
        paragraphs = [_paragraph(chance, said) for _ in range(chance.randint(1, _MAX_PARAGRAPHS))]
    signed = said["words"]["signature"] if sum(map(ord, author)) % 4 == 0 else ""
    quote = quoted.paragraphs[0] if quoted else ""
    pictured = sum(map(ord, author)) % 2 == 0
    return Post(
        number, author, pictured, time, quoted.author if quoted else "", quote, paragraphs, signed, chance.randint(0, 9)
    )


def _paragraph(chance: random.Random, said: dict[str, Any]) -> str:
    space = "" if any(said is LANGUAGES[each] for each in _UNSPACED) else " "
    parts = [
        [chance.choice(said[part]) for part in ("begins", "middles", "ends")]
        for _ in range(chance.randint(1, _MAX_SENTENCES))
    ]
    return space.join(_sentence(space, each) for each in parts)


def _sentence(space: str, parts: list[str]) -> str:
    begin, middle, end = parts
    return f"{begin}{space}{middle}{'' if end[0] in ',，、' else space}{end}"
