"""Moods of single texts and of many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.mood import classify_mood, complaints, spread_of
from analysis.mood.opinion_words import lexicon


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("房间干净，服务热情，下次还会来", "positive"),
        ("送餐太慢，饭都凉了，再也不点了", "negative"),
        ("明天下午三点在会议室开会", "neutral"),
        ("不喜欢这个颜色", "negative"),
        ("没有异味，质量没问题", "positive"),
        ("[怒][怒]", "negative"),
        ("The room was clean and the staff were very friendly", "positive"),
        ("Terrible service, the food was cold", "negative"),
        ("not good", "negative"),
        ("The goodwill of the company is listed below", "neutral"),
        ("", "neutral"),
        ("Очень плохо", "unsure"),
        ("とても良かったです", "unsure"),
    ],
)
def test_moods(text: str, label: str) -> None:
    assert classify_mood(text).label == label


def test_praise_and_blame_in_balance_are_unsure() -> None:
    mood = classify_mood("很好，很棒，很赞，漂亮，满意；但是很脏，很吵，很贵，很慢，很旧")
    assert mood.label == "unsure"
    assert abs(mood.score) < 0.1


def test_opinions_say_where_they_are() -> None:
    text = "服务热情，但房间太小"
    mood = classify_mood(text)
    assert [text[each.start : each.start + len(each.text)] for each in mood.opinions] == [
        each.text for each in mood.opinions
    ]
    assert [each.weight > 0 for each in mood.opinions] == [True, False]


def test_not_reaches_no_further_than_its_clause() -> None:
    assert classify_mood("不，好吃").score > 0


@given(st.text(max_size=300))
def test_every_text_has_a_mood(text: str) -> None:
    mood = classify_mood(text)
    assert -1 <= mood.score <= 1
    assert mood.label != "neutral" or not mood.opinions


def test_no_word_is_listed_as_praise_and_as_blame() -> None:
    assert len(list(lexicon().find("差"))) == 1


def test_the_mood_of_many_texts_has_a_number_and_an_interval() -> None:
    spread = spread_of(["negative"] * 3 + ["positive"] * 6 + ["neutral"] + ["unsure"] * 5)
    assert spread.total == 15
    assert spread.negative_share == pytest.approx(0.3)
    assert spread.low == pytest.approx(0.108, abs=0.001)  # Wilson's interval for 3 of 10
    assert spread.high == pytest.approx(0.603, abs=0.001)
    assert (spread_of([]).low, spread_of([]).high) == (0.0, 1.0)


def test_complaints_are_what_negative_texts_share() -> None:
    texts = ["早餐很差", "早餐太少", "早餐难吃", "位置很好", "位置不错，房间干净", "房间很好"]
    found = complaints((text, classify_mood(text)) for text in texts)
    assert found[0] == ("早餐", 3)
    assert "位置" not in dict(found)
