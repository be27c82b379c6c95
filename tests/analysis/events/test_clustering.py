"""Reports join events and stories as they come in."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.events import Clusters, EventReport, Placing, Settings, alike, read_report
from analysis.events.frequencies import expected_share, rarity
from analysis.events.reading import ReportReading, reading_of
from analysis.events.regions import regions_in
from analysis.names import find_names

DAY = datetime(2026, 5, 10, 9)
QUAKE = "中新网5月10日电 5月10日06时53分辽宁省海城市发生4.3级地震，震源深度10公里，目前尚无人员伤亡的报告，当地居民感到明显震动。"
SAME_QUAKE = (
    "据中国地震台网测定，今天06时53分辽宁海城发生4.3级地震，震源深度10公里。海城市居民说震动明显，暂无伤亡报告。"
)
OTHER_QUAKE = (
    "中新网5月10日电 5月10日11时20分云南省瑞丽市发生4.9级地震，震源深度8公里，已有19人受伤，当地居民感到明显震动。"
)
FIRE = "5月9日晚，浙江温州一家鞋厂发生火灾，消防部门出动十二辆消防车，两小时后明火被扑灭，火灾原因正在调查。"


def placed(*reports: tuple[str, str, datetime]) -> list[Placing]:
    clusters = Clusters()
    return [
        clusters.add(read_report(str(place), time, title, text)) for place, (title, text, time) in enumerate(reports)
    ]


def test_two_reports_of_one_happening_are_one_event() -> None:
    first, second = placed(("辽宁海城发生4.3级地震", QUAKE, DAY), ("海城地震震感明显", SAME_QUAKE, DAY))
    assert first.event == second.event == "0"
    assert first.story == second.story


def test_two_quakes_of_one_day_are_two_events() -> None:
    first, second = placed(("辽宁海城发生4.3级地震", QUAKE, DAY), ("云南瑞丽发生4.9级地震", OTHER_QUAKE, DAY))
    assert first.event != second.event


def test_another_kind_of_happening_is_another_event_and_story() -> None:
    first, second = placed(("辽宁海城发生4.3级地震", QUAKE, DAY), ("温州鞋厂火灾", FIRE, DAY))
    assert first.event != second.event
    assert first.story != second.story


def test_a_title_is_of_the_story_with_all_of_whose_titles_it_shares_most() -> None:
    """It is not alike enough to any of them alone."""
    ship = ["青岚号货轮在南港搁浅", "青岚号货轮搁浅原因公布", "南港清理青岚号货轮漏油"]
    late = "货轮公司股价大跌"
    reports = [(title, "", DAY) for title in (*ship, "高考首日多地下雨", late)]
    assert [each.story for each in placed(*reports)] == ["0", "0", "0", "3", "0"]
    for title in ship:
        assert [each.story for each in placed((title, "", DAY), (late, "", DAY))] == ["0", "1"]


def test_an_old_event_gets_no_more_reports() -> None:
    late = DAY + timedelta(days=Settings().window_days + 1)
    first, second = placed(("辽宁海城发生4.3级地震", QUAKE, DAY), ("辽宁海城发生4.3级地震", QUAKE, late))
    assert first.event != second.event


def test_an_event_goes_on_as_long_as_somebody_reports_it() -> None:
    times = [DAY + timedelta(days=40 * place) for place in range(4)]
    assert {each.event for each in placed(*(("辽宁海城发生4.3级地震", QUAKE, time) for time in times))} == {"0"}


def test_what_is_too_old_to_be_compared_is_forgotten() -> None:
    clusters = Clusters()
    for place in range(200):
        clusters.add(read_report(str(place), DAY + timedelta(days=place), f"第{place}场火灾", ""))
    assert len(clusters) == Settings().window_days + 1


def test_titles_alone_are_compared_too() -> None:
    first, second, third = placed(
        ("给阿嬷的情书票房预计超7亿", "", DAY),
        ("阿嬷的情书票房预测破7亿", "", DAY),
        ("北京猪肉价格反弹", "", DAY),
    )
    assert first.event == second.event != third.event


def test_english_reports_are_compared_by_their_words() -> None:
    gorilla = (
        "A zoo shot and killed a gorilla named Harambe that grabbed a boy who fell into its enclosure in Cincinnati."
    )
    again = (
        "The gorilla Harambe was killed at the Cincinnati zoo after a boy had fallen into the enclosure on Saturday."
    )
    other = "German police investigate sexual assaults outside the cathedral of Cologne during New Year's celebrations."
    first, second, third = placed(
        ("Gorilla killed", gorilla, DAY), ("Zoo kills gorilla", again, DAY), ("Cologne", other, DAY)
    )
    assert first.event == second.event != third.event


def test_the_same_stream_gives_the_same_events() -> None:
    stream = [
        ("海城地震", QUAKE, DAY),
        ("温州火灾", FIRE, DAY),
        ("海城地震震感", SAME_QUAKE, DAY),
        ("瑞丽地震", OTHER_QUAKE, DAY),
    ]
    assert placed(*stream) == placed(*stream)


def test_reports_that_name_no_place_and_no_day_are_one_event_where_they_share_what_is_rare() -> None:
    study = "一项研究发现，经常运动的人比不运动的人薪水高，研究者分析了一万二千人的运动和薪水之间的关系，差距接近一成。"
    again = "常运动薪水多：研究者比较了一万二千人的薪水，每周运动三次以上的人比不运动的人多拿接近一成，原因可能是体力和自信。"
    other = (
        "研究发现，睡前看手机的人入睡更慢，研究者建议把手机放在卧室外，并在睡前一小时关掉屏幕，多数人一周后睡得更好。"
    )
    first, second, third = placed(
        ("多运动薪水高", study, DAY), ("运动的人薪水多", again, DAY), ("睡前少看手机", other, DAY)
    )
    assert first.event == second.event != third.event


SUBJECT = (
    ("Engineers explain why the", "carries no cameras outside"),
    ("School children paint the", "for an exhibition"),
    ("Budget of the", "rose tenfold within twenty years"),
    ("A professor hopes that the", "sees the oldest galaxies"),
    ("Video shows the", "leaving the rocket behind"),
    ("Dust may hit mirrors of the", "says agency"),
)


def test_titles_of_one_subject_in_letters_do_not_chain() -> None:
    orbit = ("Norland telescope reaches its final orbit", "Norland telescope arrives at final orbit after a month")
    photons = ("Norland telescope detects its first photons", "First photons detected by Norland telescope")
    before = [f"{begin} Norland telescope {end}" for begin, _ in SUBJECT for _, end in SUBJECT]
    events = [placing.event for placing in placed(*((title, "", DAY) for title in (*before, *orbit, *photons)))]
    assert events[-4] == events[-3] != events[-2] == events[-1]


def test_pages_of_a_site_of_lessons_are_one_event_only_as_copies() -> None:
    def lesson(number: int, words: str, site: str) -> EventReport:
        own = (
            f"{words}的状态保存在{words}表里，" * 2
            + "由调度器按优先级挑选，阻塞时让出处理器，再次就绪后回到队尾。"[number * 5 :]
        )
        text = f"这是教程的第{number}部分，讲解并发编程的{words}。{own}示例代码在文末，欢迎留言讨论并发编程。"
        return read_report(f"{site} {number} {words}", DAY, f"并发编程教程{number}：{words}", text, site=site)

    clusters, topics = Clusters(), ("线程", "进程", "协程", "锁", "队列", "信号")
    reports = [lesson(number, words, "notes.example") for number, words in enumerate(topics)]
    dated = [replace(each, days=(DAY.toordinal(),)) for each in reports]  # a lesson that says when it was written
    placings = [clusters.add(each) for each in [*reports[:3], *dated[3:]]]
    assert len({each.event for each in placings}) == len(topics)
    assert clusters.add(replace(reports[1], key="copy")).event == placings[1].event
    news = Clusters()
    quakes = [("1", "辽宁海城发生4.3级地震", QUAKE), ("2", "海城地震震感明显", SAME_QUAKE)]
    assert (
        len({news.add(read_report(*(key, DAY), title, text, site="news.example")).event for key, title, text in quakes})
        == 1
    )


def test_common_words_of_other_languages_join_no_events() -> None:
    texts = (
        "Die Feuerwehr hat in der Nacht einen Brand gelöscht, und niemand ist dabei verletzt worden, wie sie am Morgen sagt.",
        "Der Verein hat in der Pause einen Trainer gefunden, und er ist damit nicht mehr so weit unten, wie er am Abend sagt.",
    )
    for language, events in (("de", 2), ("de-AT", 2), ("", 1)):
        clusters = Clusters()
        reports = [read_report(text[:20], DAY, "", text, language=language) for text in texts]
        assert len({clusters.add(each).event for each in reports}) == events
    assert expected_share("und", "de") > 0.5 > expected_share("und")


def test_chinese_texts_whose_titles_share_nothing_are_less_alike() -> None:
    def likeness(title: str) -> float:
        clusters = Clusters()
        clusters.add(read_report("1", DAY, "辽宁海城发生4.3级地震", QUAKE))
        return clusters.add(read_report("2", DAY, title, SAME_QUAKE * 2)).likeness

    assert likeness("居民说震动明显") < 0.9 * likeness("居民说地震明显")


def test_a_reading_is_unpacked_as_it_was_packed() -> None:
    for site, text in (("a.example", QUAKE), ("", QUAKE), ("a.example", ""), ("", "A tram overturned in London. " * 4)):
        reading = reading_of(read_report("1", DAY, "辽宁海城发生4.3级地震", text, site=site))
        again = ReportReading.unpack(reading.pack())
        assert again.pack() == reading.pack()
        assert (again.title, again.site, again.regions) == (reading.title, reading.site, reading.regions)


def test_a_conflict_of_facts_lowers_the_likeness() -> None:
    assert alike(QUAKE, SAME_QUAKE) > alike(QUAKE, OTHER_QUAKE)


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("广东省公安厅和深圳市", {"44"}),
        ("法国总统访问莫斯科", {"FR", "RU"}),
        ("法國總統訪問廣東", {"FR", "44"}),
        ("没有地方", set()),
    ],
)
def test_regions_are_provinces_and_countries(text: str, regions: set[str]) -> None:
    assert regions_in(find_names(text)) == regions


def test_terms_weigh_less_the_more_common_they_are() -> None:
    assert 0 <= rarity("的") < rarity("地震") < rarity("海城")
    assert 0 < expected_share("+地震") < expected_share("地")


@given(st.lists(st.text(alphabet="海城地震火灾票房abc 12", max_size=30), max_size=12))
def test_every_report_gets_an_event_that_an_earlier_or_this_report_began(titles: list[str]) -> None:
    known: set[str] = set()
    for place, placing in enumerate(placed(*((title, "", DAY) for title in titles))):
        known.add(str(place))
        assert placing.event in known
        assert placing.story in known


@pytest.mark.parametrize(("topic", "joined"), [(1, 0), (0, 5)])
def test_the_name_of_a_topic_joins_nothing_however_many_other_topics_a_store_has(topic: int, joined: int) -> None:
    """Told from the topic's own reports; among all reports its name is rare."""
    clusters = Clusters()
    for number in range(400):
        clusters.place(f"other {number}", reading_of(read_report("", DAY, f"zqa{number} zqb{number} zqc{number}", "")))
    titles = [f"Zqjames Zqwebb Zqtelescope zqd{number} zqe{number}" for number in range(40)]
    events = [
        clusters.place(title, replace(reading_of(read_report(title, DAY, title, "")), topic=topic))[0].event
        for title in titles
    ]
    assert sum(event != title for title, event in zip(titles[-5:], events[-5:], strict=True)) == joined


@pytest.mark.parametrize(("contained", "second"), [(Settings().contained, "0"), (0.0, "1")])
def test_a_headline_is_of_one_event_with_a_longer_wording_of_it(contained: float, second: str) -> None:
    clusters = Clusters(replace(Settings(), contained=contained))
    titles = ("青岚号货轮搁浅", "南港海事局派出多艘拖轮，正在救援当天凌晨因大雾搁浅的远洋货轮青岚号，全体船员平安")
    assert [clusters.add(read_report(str(n), DAY, each, "")).event for n, each in enumerate(titles)] == ["0", second]
