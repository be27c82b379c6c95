"""Titles that differ in one place, and there in nothing that matters: 导演陈可辛出车祸 and 陈可辛出车祸; 细节曝光 and 细节披露."""

from extractors.titles.title_text import TitleText

_MIN_SHARED_LETTERS = 5
MIN_COSINE = 0.6
"""Of titles that are compared so: with fewer, the words that differ are the news. The search passes on every title with this cosine."""
_MAX_DIFFERENT_LETTERS = 6
_MAX_PART_LETTERS = 20
"""Of titles that are about one part of an affair; longer ones name several."""
_FILLERS = frozenset(
    "导演 演员 歌手 主持人 男星 女星 艺人 明星 影星 影后 影帝 网红 主播 博主 作家 编剧 教授 院士 专家 记者 知名 著名 国产 我国 中国 "
    "官方 官宣 网友 突发 重磅 快讯 最新 正式 现场 视频 热搜 "
    "董事长 总裁 创始人 奥运冠军 世界冠军 前国脚 国脚 教练 主帅 球星 球员 选手 名将 "
    "坦言 直言 表示 自曝 发文 发声 回应说 称 说 已 了 的 真 好 太 就 被曝 曝 惊现 如何看待 如何评价 怎么看 刚刚 "
    "今日 今天 今晚 昨日 昨天".split()
)
"""Before a name, or beside what happened, they add nothing."""
_SAME = tuple(
    frozenset(group.split())
    for group in (
        "曝光 披露 公开 公布 流出|去世 逝世 离世 病逝 辞世|致 造成 已致 已造成|死亡 遇难 身亡|起火 着火 失火 突发火灾 发生火灾 火灾|"
        "宣布 官宣|"
        "结婚 大婚 完婚|被捕 被抓 落网 被抓获|发布 推出 公布|称 表示 说 坦言 直言|获 夺 斩获 摘得 夺得 拿下|上调 提高|下调 降低|遭 被|"
        "爸爸 父亲 爸|妈妈 母亲 妈|坠亡 坠楼身亡 坠楼|车祸 交通事故 遭遇车祸 出车祸|中方 商务部|中方 外交部|中方 中国 我国|美方 美国 美|"
        "日方 日本 日|韩方 韩国 韩|俄方 俄罗斯 俄|英方 英国 英|法方 法国 法|德方 德国 德|乌方 乌克兰 乌|以方 以色列 以|确认 证实|抵达 到达|"
        "会见 会晤|总台 央视|辟谣 否认|恋情 恋爱|怀孕 有孕"
    ).split("|")
)
"""Words that say the same in a title."""


_PARTS = "回应 辟谣 否认 道歉 致歉 大结局 预告 花絮 彩蛋 定档 杀青 票房 立案 开庭 一审 二审 宣判 悬赏 后续 不是".split()
"""Parts of an affair: what only one of two titles names is news of its own."""


def is_another_part(one: TitleText, other: TitleText) -> bool:
    """Whether one title names a part of the affair that the other does not."""
    mine, theirs = one.letters, other.letters
    return max(len(mine), len(theirs)) <= _MAX_PART_LETTERS and any(
        (part in mine) != (part in theirs) for part in _PARTS
    )


def differs_in_nothing(one: TitleText, other: TitleText) -> bool:
    """Whether two titles are the same but for words of one of these kinds in one place."""
    mine, theirs = one.letters, other.letters
    shorter = min(len(mine), len(theirs))
    begin = end = 0
    while begin < shorter and mine[begin] == theirs[begin]:
        begin += 1
    while end < shorter - begin and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    if begin + end < _MIN_SHARED_LETTERS or max(len(mine), len(theirs)) - begin - end > _MAX_DIFFERENT_LETTERS:
        return False
    return _is_same(mine, theirs, begin, end)


def _is_same(mine: str, theirs: str, begin: int, end: int) -> bool:
    """What differs between a common beginning and end, also where the two share a letter with what surrounds them."""
    for back in range(min(begin, 2) + 1):
        for on in range(min(end, 2) + 1):
            left, right = (text[begin - back : len(text) - end + on] for text in (mine, theirs))
            if any(left in group and right in group for group in _SAME):
                return True
            if (not left and right in _FILLERS) or (not right and left in _FILLERS):
                return True
    short, long = sorted((mine, theirs), key=len)
    added = len(long) - len(short)
    if begin + end < len(short):
        return False
    return any(
        short[:at] == long[:at] and short[at:] == long[at + added :] and long[at : at + added] in _FILLERS
        for at in range(max(0, begin - added), begin + 1)
    )
