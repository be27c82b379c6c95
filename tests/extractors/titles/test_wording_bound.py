"""The bound of a wording never says that titles disagree of which the wording itself says the contrary."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.kernels import forms
from extractors.titles import Rules, TitleIndex, TitleText, title_text
from extractors.titles.retelling import same_wording
from extractors.titles.wording_bound import unlike_titles
from tests.extractors.kernels.both_forms import needs_extension

WORDS = [
    "河口",
    "镇",
    "石桥镇",
    "和",
    "赢了",
    "回应",
    "12",
    "第三",
    "opens",
    "bridge",
    "涨",
    "跌",
    "的",
    "x" * 90,
    "茶叶节",
    "一",
]
TITLES = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(tuple).map(TitleText), min_size=2, max_size=12)
LIKE = st.lists(st.integers(0, 3), min_size=8, max_size=8).map(
    lambda at: TitleText(tuple(WORDS[n] for n in (*at, *range(5))))
)


def found(titles: list[TitleText], cosine: float) -> tuple[TitleIndex, list[bool]]:
    index = TitleIndex()
    for title in titles[1:]:
        index.add(title)
    places = list(range(len(titles) - 1))
    store, cosines = index.store, [cosine] * len(places)
    return index, unlike_titles(titles[0], index.known(titles[0]), cosines, places, index.vocabulary.names, store)


@settings(max_examples=80, deadline=None)
@given(st.one_of(TITLES, st.lists(LIKE, min_size=2, max_size=6)), st.sampled_from((0.5, 0.7, 0.97, 1.0)))
def test_titles_that_agree_are_never_unlike(titles: list[TitleText], cosine: float) -> None:
    index, unlike = found(titles, cosine)
    for place, (title, sure) in enumerate(zip(titles[1:], unlike, strict=True)):
        assert not (
            sure and same_wording(titles[0], title, cosine if sorted(title.terms) != sorted(titles[0].terms) else 1.0)
        )
        assert index.words(place) == title


@needs_extension
@settings(max_examples=80, deadline=None)
@given(st.one_of(TITLES, st.lists(LIKE, min_size=2, max_size=6)), st.sampled_from((0.5, 0.7, 0.97, 1.0)))
def test_both_forms_say_the_same(titles: list[TitleText], cosine: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.titles.wording_bound.unlike_wordings", forms["unlike_wordings"].numpy)
        plain = found(titles, cosine)[1]
    assert found(titles, cosine)[1] == plain


def test_a_search_judges_the_nearest_title_and_those_that_may_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    index, asked = TitleIndex(0.8, Rules(lower_threshold=0.2)), title_text("河口队战胜石桥队夺得龙舟赛第一名")
    for number in range(40):
        index.add(title_text(f"河口队{number}名队员因大雨推迟参加龙舟赛训练"))
    for stored in ("石桥队战胜河口队夺得龙舟赛第一名", "河口队战胜石桥队夺得今年龙舟赛第一名"):
        index.add(title_text(stored))
    judged: list[TitleText] = []

    def noted(one: TitleText, other: TitleText, cosine: float) -> bool:
        judged.append(other)
        return same_wording(one, other, cosine)

    monkeypatch.setattr("extractors.titles.repost_rules.same_wording", noted)
    assert index.search(asked).position == 41
    assert judged == [index.words(40), index.words(41)]
    index.rules = Rules(lower_threshold=0.2, window_days=1)
    index.days.view[41] = 1
    assert index.search(asked, 9).rule == "wording"
    assert judged[2:] == [index.words(40)]
