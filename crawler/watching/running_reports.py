"""Recognises running reports: one page that grows for hours, such as a live blog or a ticker."""

import re

from extractors.page import Page

_NAMED = re.compile(
    r"^\W*(?:[图圖]文|文字|[现現][场場]|[视視]频|全程)?直播(?=[】\]）)丨|｜:：\s])|直播[】\]）)]|[图圖文][文字]直播|(?:滚动|滾動|持续|持續|实时|實時|不断|不斷)(?:更新|播[报報])"
    r"|更新中|[实實][况況][】\]）)丨|｜:：]|ライブ更新|随時更新|速報中|실시간\s?업데이트"
    r"|\blive[\s-](?:updates?|blog|ticker|feed|coverage)\b|^\W*live\s?[:|–—-]|[|–—-]\s?live\W*$|\bliveticker\b|\bnewsticker\b"
    r"|\ben (?:direct|directo|vivo)\b|\bao vivo\b|\bin diretta\b|\bla diretta\b|\bна жив[оу]\b|(?:онлайн|прямая|текстовая)[\s-]трансляция",
    re.I,
)
_CLOCK = re.compile(r"^\W{0,3}(?:\d{1,2}月\d{1,2}日\s?)?(?:[01]?\d|2[0-3])[:：][0-5]\d(?![\d:：])", re.M)
_MIN_CLOCKS = 3
"""Paragraphs that begin with a time of day."""
_SCHEMA = "LiveBlogPosting"
_MAX_SEARCHED_CHARS = 20_000


def is_running_report(page: Page) -> bool:
    """Whether a page declares that it is one, is titled like one, or consists of paragraphs that begin with times of day."""
    if _NAMED.search(page.article.title[:300]) or any(_SCHEMA in data for data in page.columns.linked_data):
        return True
    return len(_CLOCK.findall(page.article.text[:_MAX_SEARCHED_CHARS])) >= _MIN_CLOCKS
