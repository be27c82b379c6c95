"""Comments of whole sentences are no text of the article that they follow."""

from collections.abc import Sequence

import pytest

from extractors.article import main_text
from extractors.article.kinds import PageKind
from extractors.page import Page

NAMES = ("Olena", "Marko", "Ivo", "Petra", "Janek", "Sofia", "Dusan", "Mira", "Karel", "Luka")
ARTICLE = (
    "The council met on 12 May and spoke for two hours about the old bridge over the river, which is closed for cars since the winter.",
    "An engineer of the district said that the pillars are sound, but that the road must be built again before a bus may cross it.",
    "Shops on the other side of the river have lost a third of their guests, and three of them want to move to the market in autumn.",
    "The mayor promised a plan until July; what it costs is not known, and whether the state pays half of it will be decided later.",
)
COMMENTS = (
    "I drove over this bridge every day for twenty years, and nobody has ever looked at the pillars in all that time, believe me.",
    "Why does it take them until July to write a plan? In the next town the same work was done within six weeks, with the same money.",
    "My shop is one of the three. We would stay if the bus came back, but nobody in the town hall has asked us what we need so far.",
    "The engineer is right about the road. The holes there are as deep as a hand, and in the rain you do not even see where they are.",
    "Half of the money from the state? It was promised for the school too, and the children still sit in containers behind the church.",
)


def page(article: Sequence[str], names: Sequence[str], tag: str = "p", name: str = "b3") -> bytes:
    """An article, and ten texts below it by these people in turn, in elements of this class."""
    text = "".join(f"<{tag}>{paragraph}</{tag}>" for paragraph in article)
    below = "".join(
        f"<div class={name}><div><b>{names[number % len(names)]}</b> {number + 12} May 2024 1{number}:0{number % 6}</div>"
        f"<div>{COMMENTS[number % 5]} {COMMENTS[(number + 2) % 5][: 60 + number]}.</div><div><a href=#r{number}>answer</a></div></div>"
        for number in range(10)
    )
    menu = "".join(
        f"<a href=/{name}>{name}</a> " for name in ("town", "county", "sport", "culture", "letters", "weather")
    )
    others = "".join(
        f"<div><a href=/n{number}>{line[:40]}</a> {line[40:90]}</div>" for number, line in enumerate(COMMENTS)
    )
    main = f"<h1>The council speaks about the bridge</h1><div>12.05.2024 | read 310 times</div>{text}<div>send | print</div>"
    table = f"<tr><td>{menu}<td>{main}<div class=b2><h3>What readers say</h3>{below}</div><td><h3>News</h3>{others}"
    return f"<title>The council speaks about the bridge</title><table>{table}</table><p>The Bridge Gazette, all rights".encode()


def held(lines: Sequence[str], text: str) -> list[str]:
    return [line for line in lines if line in text]


@pytest.mark.parametrize("tag", ["p", "div"])
def test_comments_by_several_people_are_left_out(tag: str) -> None:
    text = main_text(page(ARTICLE, NAMES, tag))
    assert (held(ARTICLE, text), held(COMMENTS, text)) == (list(ARTICLE), [])


def test_entries_of_one_reporter_stay() -> None:
    assert held(COMMENTS, main_text(page(ARTICLE, NAMES[:1]))) == list(COMMENTS)


def test_texts_without_an_article_before_them_stay() -> None:
    assert held(COMMENTS, main_text(page((), NAMES))) == list(COMMENTS)


def test_what_a_page_calls_comments_may_be_by_two_people() -> None:
    text = main_text(page(ARTICLE, NAMES[:2], name="comment"))
    assert (held(ARTICLE, text), held(COMMENTS, text)) == (list(ARTICLE), [])


def test_a_thread_keeps_what_follows_its_first_post(monkeypatch: pytest.MonkeyPatch) -> None:
    thread = Page(page(ARTICLE, NAMES), "https://board.example/viewtopic.php?t=31")
    assert held(COMMENTS, thread.article.text) == []
    monkeypatch.setattr("extractors.article.body.find_kind", lambda page: PageKind("thread", 0.9))
    thread = Page(page(ARTICLE, NAMES), "https://board.example/viewtopic.php?t=31")
    assert held(COMMENTS, thread.article.text) == list(COMMENTS)
