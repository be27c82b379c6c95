"""Names of people, places and organisations, with their offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.names import find_division, find_names
from analysis.names.divisions import country_of


def found(text: str, kind: str) -> list[str]:
    return [name.text for name in find_names(text) if name.kind == kind]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("局长王建国在会上说，工程已经完成。", ["王建国"]),
        ("记者李晓梅报道", ["李晓梅"]),
        ("法国总统希拉克访问中国", ["希拉克"]),
        ("马来西亚副总理安瓦尔·易卜拉欣出席", ["安瓦尔·易卜拉欣"]),
        ("他高兴地说，这个方法很成功。", []),
        ("我叫赵新民", ["赵新民"]),
        ("看着跟孙国荣学剪枝技术", ["孙国荣"]),
        ("学习马克思主义", ["马克思"]),
        ("祝贺大家取得辉煌成绩", []),
        ("王先生和李老师都来了", []),
        ("记者欧阳修说", ["欧阳修"]),
        ("市長蔣萬安表示", ["蔣萬安"]),
    ],
)
def test_people_are_found(text: str, people: list[str]) -> None:
    assert found(text, "person") == people


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("吉林省永吉县发生洪水", ["吉林省", "永吉县"]),
        ("中美两国同意", ["中", "美"]),
        ("他从莫斯科飞往巴黎。", ["莫斯科", "巴黎"]),
        ("双方合作开发资源", []),
        ("代表团抵京后会见了俄方代表", ["京", "俄"]),
        ("在洛杉矶国际机场发表讲话", ["洛杉矶国际机场"]),
        ("总部设在中国香港", ["中国", "香港"]),
        ("热烈祝贺大会召开", []),
        ("來自台灣和臺北市的遊客", ["台灣", "臺北市"]),
    ],
)
def test_places_are_found(text: str, places: list[str]) -> None:
    assert found(text, "place") == places


@pytest.mark.parametrize(
    ("text", "orgs"),
    [
        ("据新华社报道", ["新华社"]),
        ("他毕业于南京师范大学。", ["南京师范大学"]),
        ("广东省公安厅昨日通报", ["广东省公安厅"]),
        ("公司今年很好", []),
        ("招行广州分行的负责人", ["招行广州分行"]),
        ("中国房地产及住宅研究会昨日发布报告", ["中国房地产及住宅研究会"]),
        ("代表欧盟出席", ["欧盟"]),
        ("中共第十五次全国代表大会召开", ["中共第十五次全国代表大会"]),
        ("球队客场挑战利物浦，主场球迷失望", ["利物浦"]),
        ("他从利物浦坐船来", []),
    ],
)
def test_organisations_are_found_whole(text: str, orgs: list[str]) -> None:
    assert found(text, "org") == orgs


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("德国总理默克尔访华", "place", ["德国", "华"]),
        ("中俄两国元首", "place", ["中", "俄"]),
        ("高举邓小平理论的旗帜", "person", ["邓小平"]),
        ("外交部长王毅出席", "org", ["外交部"]),
        ("万埠镇的村民", "place", ["万埠镇"]),
        ("在北京举行的音乐会", "org", []),
    ],
)
def test_names_inside_longer_words_are_found(text: str, kind: str, names: list[str]) -> None:
    assert found(text, kind) == names


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("The fire broke out in Croydon, London, said Donald Collett, 62.", "place", ["Croydon", "London"]),
        ("Police named him as Philip Logan. Later Logan was charged.", "person", ["Philip Logan", "Logan"]),
        ("California Governor Jerry Brown spoke.", "place", ["California"]),
        ("California Governor Jerry Brown spoke.", "person", ["Jerry Brown"]),
        ("He works for the University of Oxford and for Samsung.", "org", ["University of Oxford", "Samsung"]),
        ("The British Transport Police and the FBI said so.", "org", ["British Transport Police", "FBI"]),
        ("On Monday The Weather Was Nice For All", "person", []),
        ("They met in Oakville, Canada.", "place", ["Oakville", "Canada"]),
        ("It is written in Java. Others run in Python, not in Go.", "place", []),
        ("The quake was felt in Java, Indonesia.", "place", ["Java", "Indonesia"]),
    ],
)
def test_english_names_are_found(text: str, kind: str, names: list[str]) -> None:
    assert found(text, kind) == names


def test_a_place_inside_an_organisation_is_no_name_of_its_own() -> None:
    assert found("广东省公安厅昨日通报", "place") == []


def test_a_division_has_its_parents() -> None:
    division = find_division("永吉县")
    assert division
    assert (division.code, division.name, division.parents) == ("220221", "永吉县", ("吉林市", "吉林省"))


def test_a_short_name_is_the_province_or_city() -> None:
    divisions = map(find_division, ("广东", "深圳", "恩施"))
    assert [each.name for each in divisions if each] == ["广东省", "深圳市", "恩施土家族苗族自治州"]


def test_a_county_name_that_several_have_is_decided_by_what_is_near() -> None:
    assert find_division("鼓楼区") is None
    near = find_division("鼓楼区", near=("350000",))
    assert near
    assert near.parents == ("福州市", "福建省")


def test_places_abroad_have_a_country() -> None:
    assert [country_of(text) for text in ("法国", "莫斯科", "没有")] == ["FR", "RU", ""]
    assert [country_of(text) for text in ("France", "Moscow", "South Korea", "Europe", "Nowhere")] == [
        "FR",
        "RU",
        "KR",
        "",
        "",
    ]


@given(st.text(alphabet="王建国李记者说的在北京市上海·广东省公安厅大学欧阳司马修龙及与第次大A1 ，。", max_size=60))
def test_names_lie_in_order_and_do_not_overlap(text: str) -> None:
    at = 0
    for name in find_names(text):
        assert at <= name.start < name.end <= len(text)
        assert text[name.start : name.end] == name.text
        at = name.end


@given(
    st.lists(
        st.sampled_from(
            "Mr President University of the and John Smith Paris, Ltd. IN said New York U.S. — 's (FBI)".split()
        ),
        max_size=20,
    )
)
def test_english_names_lie_in_order(words: list[str]) -> None:
    text, at = " ".join(words), 0
    for name in find_names(text):
        assert at <= name.start < name.end <= len(text)
        assert text[name.start : name.end] == name.text
        at = name.end


@given(st.text(max_size=100))
def test_no_text_fails(text: str) -> None:
    find_names(text)
