"""The letters of a Chinese title without what adds nothing to its news, and with one word for those that say the same."""

import re
from functools import lru_cache

from extractors.titles.numbers import by_value

_SAME = tuple(
    group.split()
    for group in (
        "曝光 披露 公开 公布 流出 揭晓 出炉|去世 逝世 离世 病逝 辞世|死亡 遇难 身亡|起火 着火 失火 突发火灾 发生火灾 火灾|"
        "结婚 大婚 完婚|被捕 被抓 落网 被抓获|发布 推出|斩获 摘得 夺得 拿下 获得|上调 提高|下调 降低|"
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
    "视频 现场 音乐人 艺人 明星 知名 著名 电视剧 电影 称 说 被指 疑似 疑 曝 被曝 表示 坦言 直言"
).split()
"""Questions put to readers, roles before a name and particles."""
_ASKING = frozenset(
    "如何 怎么 怎样 什么 什么样 为何 为什么 哪些 哪 哪个 哪位 哪里 有何 何 吗 呢 是否 能否 可否 有没有 究竟 到底 几 谁 会 将 将会 该 "
    "应 应该 可 可能 可以 能 能够 或 还 还有 有 要 需要 看 看待 怎么看 评价 认为 觉得 想 想说 说 期待 值得 关注 注意 解读 分析 思考 "
    "信息 影响 情况 问题 结果 原因 意义 责任 法律 角度 行业 方面 地方 信号 真相 真实性 合理 现象 行为 做法 举措 措施 技术 难点 亮点 "
    "槽点 看点 卖点 不足 细节 表现 体验 好看 比赛 事件 目前 当前 当地 具体 具体情况 期间 后续 进展 发展 背后 变化 改变 引发 热议 带来 "
    "造成 产生 意味着 说明 反映 体现 透露 暴露 暴露出 释放 承担 面临 避免 防范 解决 网友 大家 你 你们 我们 他 她 它 他们 其 各 更 多 "
    "一个 一些 个 这 这一 这个 这场 这次 这种 此 此事 此次 此类 此举 本 本场 本次 对 对此 的 了 是 在 从 中 为 与 和 及 等 以 于 并 "
    "后 都 又 也 就 用 不 给 让 使".split()
)
"""Words of questions that readers are asked about news, and particles."""
ASKED = re.compile("如何|怎么|什么|吗|为何|怎样|哪")
"""Signs of a question in a title."""
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


@lru_cache(256)
def stated_letters(terms: tuple[str, ...]) -> str:
    """The plain letters of a title, of a question without the words that ask."""
    if ASKED.search("".join(terms)):
        stated = plain_letters(tuple([term for term in terms if term not in _ASKING]))
        if len(stated) >= _MIN_LETTERS:
            return stated
    return plain_letters(terms)


def asks(word: str) -> bool:
    """Whether this is a word of questions put to readers, or a particle."""
    return word in _ASKING


def plain_word(word: str) -> str:
    """The word that stands for this one, "" if it adds nothing."""
    return _FIRST.get(word, word)
