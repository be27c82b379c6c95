"""Pages in traditional Chinese, Japanese and Korean, made with what their news sites have in common."""

from dataclasses import dataclass

import pytest

from extractors.article import Article
from extractors.page import Page


@dataclass(frozen=True, slots=True)
class Made:
    """What a page says, and how its site writes the line below the title."""

    language: str
    site: str
    title: str
    byline: str
    author: str
    published: str
    text: tuple[str, ...]
    menu: tuple[str, ...]
    teasers: tuple[str, ...]
    notice: str


TAIWAN = (
    ("首頁", "政治", "社會", "國際", "體育"),
    ("颱風逼近 沿海居民提前撤離", "捷運新線年底通車", "夜市重新開放 人潮回來了", "選手奪金返國受到歡迎"),
    "版權所有，未經授權請勿轉載",
)
JAPAN = (
    ("ホーム", "政治", "経済", "スポーツ", "天気"),
    ("台風が接近、住民が早めに避難", "新しい地下鉄が年内に開業", "市場の再開で客足が戻る", "金メダルの選手が帰国"),
    "記事・写真の無断転載を禁じます。",
)
KOREA = (
    ("홈", "정치", "경제", "스포츠", "날씨"),
    ("태풍 접근에 주민들 미리 대피", "새 지하철 노선 연내 개통", "시장 다시 열자 손님 돌아와", "금메달 선수 귀국 환영"),
    "무단 전재 및 재배포 금지",
)
RIVER_TW = (
    "台北市政府今天表示，基隆河沿岸的步道將分三期整修，第一期工程預計明年春天完成，屆時市民可以從大稻埕一路騎到關渡。",
    "工務局長指出，舊步道使用超過二十年，部分路段因為去年的豪雨沖刷而下陷，這次會把路基墊高，並且重新種植水邊的植物。",
    "附近的居民則希望施工期間保留一條通道，讓老人家早上還是能到河邊散步。",
)
RIVER_JA = (
    "市は今日、川沿いの遊歩道を三期に分けて改修すると発表した。第一期の工事は来年の春に終わる見通しで、自転車でも港まで行けるようになる。",
    "担当者によると、古い遊歩道は使われ始めてから二十年以上がたち、去年の大雨で一部が沈んでいた。今回は土台を高くし、水辺の植物も植え直すという。",
    "近くに住む人たちは、工事の間も朝の散歩ができるように、細い道を一本残してほしいと話している。",
)
RIVER_KO = (
    "시는 오늘 강변 산책로를 세 단계로 나누어 정비한다고 밝혔다. "
    "첫 단계 공사는 내년 봄에 끝날 예정이며, 자전거로 항구까지 갈 수 있게 된다.",
    "담당자는 오래된 산책로를 이십 년 넘게 사용했고 지난해 큰비로 일부 구간이 내려앉았다고 설명했다. "
    "이번에는 바닥을 높이고 물가의 식물도 다시 심는다.",
    "가까이 사는 주민들은 공사 기간에도 아침에 걸을 수 있도록 좁은 길을 하나 남겨 달라고 말했다.",
)
MADE = (
    Made(
        "zh",
        "河岸日報",
        "基隆河步道分三期整修",
        "2024/05/06 12:34 記者陳大文／台北報導",
        "陳大文",
        "2024-05-06T12:34",
        RIVER_TW,
        *TAIWAN,
    ),
    Made(
        "zh",
        "河岸日報",
        "基隆河步道明年春天完工",
        "（中央社記者王小明台北6日電）2024-05-06",
        "王小明",
        "2024-05-06",
        RIVER_TW,
        *TAIWAN,
    ),
    Made(
        "ja",
        "川辺新聞",
        "川沿いの遊歩道を三期に分けて改修",
        "2024年5月6日 12時34分 文：山田太郎",
        "山田太郎",
        "2024-05-06T12:34",
        RIVER_JA,
        *JAPAN,
    ),
    Made(
        "ja",
        "川辺新聞",
        "遊歩道の工事、来年春に完了へ",
        "公開日：2024年05月06日　著者：佐藤花子",
        "佐藤花子",
        "2024-05-06",
        RIVER_JA,
        *JAPAN,
    ),
    Made(
        "ko",
        "강변일보",
        "강변 산책로 세 단계로 나누어 정비",
        "홍길동 기자 | 입력 2024.05.06 12:34",
        "홍길동",
        "2024-05-06T12:34",
        RIVER_KO,
        *KOREA,
    ),
    Made(
        "ko",
        "강변일보",
        "산책로 첫 공사 내년 봄에 끝나",
        "김영희 기자 · 승인 2024-05-06",
        "김영희",
        "2024-05-06",
        RIVER_KO,
        *KOREA,
    ),
)


def _read(made: Made) -> Article:
    menu = "".join(f'<li><a href="/s{number}/">{name}</a></li>' for number, name in enumerate(made.menu))
    cards = "".join(
        f'<li><a href="/n/{number}.html"><img src="t.jpg"><h3>{title}</h3></a></li>'
        for number, title in enumerate(made.teasers)
    )
    text = "".join(f"<p>{line}</p>" for line in made.text)
    source = (
        f"<html><head><meta charset=utf-8><title>{made.title} | {made.site}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<main><h1>{made.title}</h1><div>{made.byline}</div><div>{text}</div></main>"
        f"<aside><ul>{cards}</ul></aside><footer><p>© {made.site}</p><p>{made.notice}</p></footer></body></html>"
    )
    return Page(source.encode(), "http://paper.example/n/20981.html").article


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.title)
def test_text_title_author_day_and_language(made: Made) -> None:
    found = _read(made)
    assert [line for line in found.text.split("\n") if line in made.text] == list(made.text)
    assert not any(line in found.text for line in (*made.teasers, made.notice))
    assert (found.title, found.author, found.language) == (made.title, made.author, made.language)
    assert found.published.startswith(made.published)
