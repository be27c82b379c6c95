"""How much two short texts are about one happening."""

from analysis.events import alike


def test_two_titles_of_one_happening_are_more_alike_than_those_of_two() -> None:
    one = "海城发生5.1级地震，救援队已赶往灾区"
    assert alike(one, "海城5.1级地震：救援人员抵达") > alike(one, "海城房价上涨") > alike(one, "周末去哪里玩") == 0


def test_other_numbers_and_regions_speak_against_one_happening() -> None:
    one = "广东发生3.2级地震"
    assert alike(one, "广东3.2级地震") > alike(one, "广东4.5级地震")
    assert alike("广东发生火灾致3人死亡", "广东火灾致3人死亡") > alike("广东发生火灾致3人死亡", "四川火灾致3人死亡")


def test_texts_without_words_are_not_alike() -> None:
    assert alike("", "") == alike("……", "！") == 0


def test_copies_are_at_most_wholly_alike() -> None:
    text = "国家乡村振兴局牌子在北京市朝阳区太阳宫北街1号正式挂出"
    assert 0.5 < alike(text, text) <= 1
