"""The letters of a Chinese title without what adds nothing to its news, and with one word for those that say the same."""

import re
from functools import lru_cache

from extractors.titles.numbers import by_value

_SAME = tuple(
    group.split()
    for group in (
        "曝光 披露 公开 公布 流出 揭晓 出炉|去世 逝世 离世 病逝 辞世|死亡 遇难 身亡|起火 着火 失火 突发火灾 发生火灾 火灾|"
        "结婚 大婚 完婚|被捕 被抓 落网 被抓获|发布 推出|表示 坦言 直言|斩获 摘得 夺得 拿下 获得|上调 提高|下调 降低|"
        "爸爸 父亲|妈妈 母亲|坠亡 坠楼身亡 坠楼|车祸 交通事故|中方 商务部 外交部 中国 我国 中国队|美方 美国 美|日方 日本 日|"
        "韩方 韩国 韩|俄方 俄罗斯 俄|英方 英国|法方 法国 法国队|德方 德国 德国队|乌方 乌克兰|以方 以色列|确认 证实|抵达 到达|"
        "会见 会晤|总台 央视|辟谣 否认|恋爱 恋情|有孕 怀孕|夺冠 获冠军|不敌 负于 输给|击败 战胜 胜|提名 入围|命名 定名|宣布 官宣|"
        "延期 推迟|北京冬奥会 冬奥会 北京冬奥|男子 男生|女子 女生|加盟 加入|倒塌 坍塌 垮塌|坠毁 坠机 失事|起诉 状告|"
        "勒令 被要求|离职 辞职|央行 人民银行 中国人民银行"
    ).split("|")
)
"""Words that say the same in a title, in whose place the first of them stands."""
_EMPTY = (
    "如何评价 如何看待 怎么看待 怎样评价 如何看 你怎么看 怎么看 如何评价这场比赛 如何评价本场比赛 还有哪些信息值得关注 "
    "还有哪些值得关注的信息 哪些信息值得关注 有哪些值得关注的信息 目前当地情况如何 目前情况如何 将带来哪些影响 会带来哪些影响 "
    "意味着什么 有哪些影响 有何影响 这意味着什么 释放了什么信号 具体情况如何 究竟怎么回事 是什么原因 对此你有什么想说的 "
    "你有什么想说的 事件 一事 一案 的 了 已 已经 正式 正在 再次 再度 又 也 就 导演 演员 歌手 男星 女星 网友 官方 突发 最新 热搜 "
    "视频 现场 音乐人 艺人 明星 知名 著名 电视剧 电影 称 说 被指 疑似 疑 曝 被曝"
).split()
"""Questions put to readers, roles before a name and particles."""
_FIRST = dict.fromkeys(_EMPTY, "") | {word: group[0] for group in _SAME for word in group[1:]}
_WORDS = re.compile(
    f"(?=[{''.join({word[0] for word in _FIRST})}])(?:{'|'.join(sorted(_FIRST, key=len, reverse=True))})"
)
_MIN_LETTERS = 3
"""Letters that must be left of a title."""


@lru_cache(256)
def plain_letters(terms: tuple[str, ...]) -> str:
    """The letters of a title of these terms, shortened so, with numbers by value; cached, since a searched title is compared with
    several."""
    letters = by_value(" ".join(terms)).replace(" ", "")
    plain = _WORDS.sub(lambda found: _FIRST[found.group()], letters)
    return plain if len(plain) >= _MIN_LETTERS else letters


def plain_word(word: str) -> str:
    """The word that stands for this one, "" if it adds nothing."""
    return _FIRST.get(word, word)
