"""Lines about a report, as in 发布时间：2024-01-02 字号：大 中 小: no sentences of it."""

import re

_TIME = r"(?:发布|发表|发稿|更新|上传|录入|采集|修改)(?:时间|日期)|published|posted|updated|last (?:modified|updated)"
_ORIGIN = r"(?:信息|文章|新闻|稿件)?来源|稿源|作者|责任编辑|责编|编辑|审核|发布(?:人|者|单位|机构)|source|author|editor"
_TOOLS = (
    r"字号|字体|浏览(?:次数|量|数)?|阅读(?:次数|量|数)?|点击(?:次数|量|数)?|访问(?:次数|量)|评论数?|打印|分享到?|views"
)
_LABELS = re.compile(rf"(?<![a-z])(?:{_TIME}|{_ORIGIN}|{_TOOLS})[\s\]】]*[:：]", re.IGNORECASE)
_BEGINS = re.compile(rf"[\s\[【(（|]*(?:{_TIME}|{_ORIGIN}|字号|字体)[\s\]】]*[:：]", re.IGNORECASE)
_TIME_LABEL = re.compile(rf"(?:{_TIME})[\s\]】]*[:：]\s*$", re.IGNORECASE)
_MAX_CHARS = 200
_MAX_CHARS_OF_ONE = 40
_LOOK_BACK_CHARS = 20


def is_byline(sentence: str) -> bool:
    """Whether a sentence only says when, from where and by whom a report is: it begins with a label, and is short or has others."""
    if len(sentence) > _MAX_CHARS or not _BEGINS.match(sentence):
        return False
    return len(sentence) <= _MAX_CHARS_OF_ONE or len(_LABELS.findall(sentence)) > 1


def is_publication(text: str, start: int) -> bool:
    """Whether what begins at `start` follows a label of the publication's time."""
    return _TIME_LABEL.search(text[max(0, start - _LOOK_BACK_CHARS) : start]) is not None
