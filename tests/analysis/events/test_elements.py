"""When, where and who of a report's main happening."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.events import find_elements

DAY = datetime(2014, 3, 19)
TITLE = "丽景北街发生一起交通事故"
TEXT = (
    "新华网银川3月19日电 记者19日从交警部门获悉，3月18日上午8时30分，银川市丽景北街发生一起交通事故，一人死亡。"
    "截至19日10时，事故原因仍在调查。据统计，近3年北京也有类似事故。"
)


def test_the_time_of_the_happening_is_surer_than_that_of_the_report() -> None:
    found = find_elements(TITLE, TEXT, DAY)
    assert found.times[0].text == "3月18日上午8时30分"
    assert found.times[0].interval
    assert found.times[0].interval.start == datetime(2014, 3, 18, 8, 30)


def test_the_place_before_the_happening_is_surest() -> None:
    found = find_elements(TITLE, TEXT, DAY)
    assert found.places[0].text in ("丽景北街", "银川市")
    assert "发生一起交通事故" in found.places[0].sentence


def test_an_english_report_is_read_by_sentences() -> None:
    text = "Officials met in Paris in 2012. A tram overturned in Croydon, London, on 17 March 2014. Prime Minister David Cameron spoke."
    found = find_elements("Tram overturned", text, DAY)
    assert found.places[0].text == "Croydon"
    assert found.places[0].sentence == "A tram overturned in Croydon, London, on 17 March 2014."
    assert (found.times[0].text, [each.text for each in found.people]) == ("17 March 2014", ["David Cameron"])


@pytest.mark.parametrize(
    ("stamp", "happening", "when"),
    [
        ("2014-03-18 08:12 来源：新华社 记者 张三\n", "银川市一家工厂16日晚发生爆炸。", "16日晚"),
        ("发布时间：2014年3月18日 08:12\n", "银川市一家工厂16日晚发生爆炸。", "16日晚"),
        ("By JOHN SMITH, Associated Press Mar 18, 2014 8:12 a.m. ET\n", "A plant exploded on Sunday.", "on Sunday"),
        ("HOUSTON, March 18 (Reuters) - ", "A plant in Texas exploded on Sunday.", "on Sunday"),
    ],
)
def test_the_date_of_the_report_is_no_time_of_the_happening(stamp: str, happening: str, when: str) -> None:
    found = find_elements("爆炸 Plant exploded", stamp + happening, DAY)
    assert [each.text for each in found.times] == [when]


@given(st.text(max_size=30), st.text(alphabet="昨天3月18日上午。！\n在北京王建国发生地震截至说 ", max_size=120))
def test_each_element_is_written_in_its_sentence(title: str, text: str) -> None:
    found = find_elements(title, text, DAY)
    for element in (*found.times, *found.places, *found.people):
        assert element.text in element.sentence
        assert element.sentence in text
