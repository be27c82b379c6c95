"""Organisations: known ones, and runs of nouns that begin with a name and end as organisations do."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from analysis.names.divisions import country_of
from analysis.names.known import clubs, organisations, words_of
from analysis.names.letters import is_famous, surnames
from analysis.names.model import Name
from analysis.names.tokens import Token

_ENDS = frozenset(
    "公司 大学 学院 银行 部 委员会 委 局 厅 法院 检察院 队 集团 协会 学会 研究所 研究院 医院 中心 报社 出版社 电视台 俱乐部 基金会 总局 总公司 分公司 股份 有限公司 有限责任公司 党委 党 中学 小学 "
    "联合会 总会 联盟 事务所 支队 大队 中队 派出所 公安局 分局 交警 警方 卫视 日报 晚报 早报 晨报 时报 商报 周刊 社 工作室 商会 证券 保险 航空 科技 电器 厂 工厂 剧院 剧团 图书馆 乐团 组织 "
    "政府 人民政府 人民法院 人民检察院 人大 政协 国防部 外交部 教育部 财政部 商务部 工会 军区 军 部队 舰队 基地 实验室 学校 幼儿园 酒店 宾馆 餐厅 超市 商场 影业 传媒 影视 娱乐 网 "
    "旅行社 饭店 大酒店 杂志社 论坛 话剧团 歌舞团 合唱团 工委 纪委 党委会 营业部 办事处 海关 新闻报 邮报 电讯报 先驱报 论坛报 体育报 独立报 青年宫 少年宫 文化宫 体育局 支行 分部 研究会 研究室 商城 证券公司 保险公司 海军 空军 陆军 "
    "人民军 同盟军 军方 立法会 电影制片厂 水泥厂 分厂 使馆 大使馆 领事馆 女队 男队 一队 二队 商务部 国土资源局 房管局 监管部门 政府办 农经站 百货 地产 房产 资讯网 影城 旅行团 站 办公室 办 联队 总部 议会 参议院 众议院 内阁 法庭 理事会 董事会 监管局 管理局 管理处 处 所 院 会 馆 分行 总行 分社 总社 党组 司 署 编辑部 记者站 代表处 分会 分院 分店 分校 总队 街道办 管委会 建委 住建委 发改委 国资委 经信委 卫健委 教委 科委 计委 经委 农委 体委 计生委 商务委 交委 政法委 金管局 证监局 银监局 "
    "药监局 市监局 市场监管局 卫健局 文旅局 住建局 城管局 应急局 应急管理局 生态环境局 期货 信托 煤业 矿业 锂业 铝业 铜业 重工 建工 路桥 乳业 酒业 药业 置业 实业 控股 制药 师专 旅协 孤儿院 福利院 艺术团 芭蕾舞团 杂志 联社 司令部 女篮 男篮 女排 男排 女足 男足 消保委 疾控中心 网信办 组委会 筹委会 公安部门 监管部门 宣教科 财务科 中心校 电视剧制作中心".split()
)
_OFFICES = frozenset("县委 市委 省委 区委 州委 镇党委 村委会 居委会 党支部 村党支部 团省委 团市委 市妇联 妇联 省政府 人大常委会 政协常委会 县政府".split())  # fmt: skip
_SHORT_ENDS = frozenset("部 委 局 厅 队 党 社 网 站 办 处 所 院 会 馆 军 厂".split())
_PARTS = ("n", "j", "b", "eng", "a", "vn", "s", "f", "l", "t", "q", "i", "an", "g", "x_")
_LAST_LETTERS = frozenset("庭部委局厅院所会队社司学行团党校厂馆台报织联盟军协央署网")
_NOUNS = ("n", "j", "k", "g", "zg", "q")
_NOT_ORGS = frozenset(
    "音乐会 交易会 演唱会 博览会 运动会 奥运会 亚运会 座谈会 展览会 大会 首脑会 国有银行 网上银行 人民军队 统计学 世界观 参政党 执政党 在野党 反对党 中介公司 大公司 中文网站".split()
)
_OCCASIONS = tuple(
    "音乐厅 书城 大厦 音乐会 演唱会 交易会 博览会 运动会 展览会 座谈会 全会 首脑会 发布会 见面会 签约会 答谢会 推介会 联欢会 招待会 拍卖会 报告会 茶话会 研讨会 讨论会 说明会 听证会 晚会 发布厅 宴会厅 报告厅 会议厅 奥运会 冬奥会 亚运会 全运会 残奥会 新闻公报 社会 机会 东部 西部 南部 北部 中部 内部 外部 全部 局部".split()
)
_LONG_ENDS = tuple("集团 公司 银行 基金会 协会 大学 学院 俱乐部 出版社 委员会 研究所 医院 中学 小学".split())
_FIRMS = tuple(
    "煤业 矿业 锂业 铝业 铜业 钢铁 重工 建工 路桥 乳业 酒业 药业 石化 股份 证券 控股 集团 能源 传媒 影业 科技 银行 电器 地产 生物 医药".split()
)
_LONGER = (*_LONG_ENDS, "中心", "法院", "电视台")
_WITH_VERBS = ("中心", "局", "处", "委员会", "法院", "司")
_STRONG = frozenset("集团 协会 学会 基金会 联合会 研究会 有限公司 有限责任公司 研究所 研究院 出版社".split())
"""What they end with also behind common nouns: 国际新闻学会."""
_REPORTS = frozenset("讯 消息 报道 记者 快讯".split())
_IN_NAMES = frozenset(
    "市立 省立 县立 国立 公立 私立 联合 附属 直属 合作 发展 开发 建设 投资 管理 服务 研究 创新 交流 救援 防控 防治 预防 保护 监督 执法 国际 学生 企业家".split()
)
_MISSIONS = ("使馆", "领事馆", "代表处", "代表团", "办事处", "部队")
_SITES = frozenset("渔港 广场 公园 大街 路 街 校区 站".split())
"""Behind what an organisation may end with they show that it is a place: 岚山 + 中心 + 渔港."""
_CONGRESSES = ("全国代表大会", "全国人民代表大会")
_JOINED = _STRONG | frozenset("局 司 部 委员会 银行 厅".split())
"""Ends of names in which two nouns may be joined: 科技与数字出版司."""
_STATES = frozenset(("政府", "中央银行", "俱乐部", "医疗队", "内阁", "企业", "公司", "媒体"))
"""Behind the bare name of a country they are no organisation of their own name."""
_LEVELS = frozenset("省 市 县 区 国家 全国 中央 特区".split())
"""Of an administration, before the name of what belongs to it: 省农业技术推广中心."""
_MAX_TOKENS = 7
_MAX_TOKENS_AFTER_PERSON = 2
_FULL_FIRMS = frozenset("有限公司 有限责任公司 股份有限公司".split())
_NOT_IN_FIRMS = ("x", "p", "c", "u", "uj", "ul", "d", "r", "y", "w")
_MAX_NOUNS = 3
_SPORTS = frozenset(
    "主场 客场 联赛 球队 主帅 射门 进球 赔率 盘口 夺冠 比分 赛季 主队 客队 球员 球迷 德比 保级 让球 平局 季后赛 总决赛 对阵 足球 篮球 杯赛 小组赛 决赛 英超 西甲 意甲 德甲 法甲 中超 欧冠 平手 初盘 让步 "
    "比赛 半场 上半场 下半场 得分 篮板 助攻 三分 三分球 首发 替补 击败 战胜 连胜 连败 常规赛 出战 中锋 前锋 后卫 门将 中场 球星 外援 转会 俱乐部 NBA CBA".split()
)
_MIN_SPORTS = 2
_END, _CLUB = 1, 2
_MAX_LISTED_CHARS = 5
_CODE = re.compile(r"[（(][0-9]{5,6}\b")
_SHARE = re.compile(r"[0-9]{5,6}(?:\.[A-Z]{2})?$")


def find_orgs(text: str, tokens: Sequence[Token], names: Sequence[Name]) -> Iterator[Name]:
    """Organisations in the order of the text; a place or person among `names` may be where one begins."""
    starts = {name.start for name in names}
    kinds = [_kind(token.text, token.part) for token in tokens]
    stops = [place for place, kind in enumerate(kinds) if kind]
    teams = {place for place in stops if kinds[place] & _CLUB}
    if teams and len(_SPORTS.intersection(token.text for token in tokens)) < _MIN_SPORTS:
        teams = {place for place in teams if place + 1 < len(tokens) and tokens[place + 1].text == "队"}
    ends = [stop for stop in stops if stop in teams or kinds[stop] & _END]
    spans = [(stop if stop in teams else _begin(tokens, stop, starts), stop) for stop in ends]
    spans += _listed(tokens) if _CODE.search(text) else []
    yield from _longest(text, tokens, [span for span in spans if span[0] >= 0])


def _listed(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Firms by the code of their share behind them: 卫士通（002268.SZ）."""
    codes = (
        place
        for place in range(1, len(tokens) - 1)
        if tokens[place].text in "（(" and _SHARE.match(tokens[place + 1].text)
    )
    return [(begin, place - 1) for place in codes if (begin := _begin_listed(tokens, place)) < place]


def _begin_listed(tokens: Sequence[Token], place: int) -> int:
    """The first of the few words before this place, back to a mark or a word of grammar."""
    begin, letters = place, 0
    while begin > 0 and (letters := letters + len(tokens[begin - 1].text)) <= _MAX_LISTED_CHARS:
        token = tokens[begin - 1]
        if not "\u4e00" <= token.text[0] <= "\u9fff" or token.part in _NOT_IN_FIRMS:
            break
        begin -= 1
    return begin


def _longest(text: str, tokens: Sequence[Token], spans: list[tuple[int, int]]) -> Iterator[Name]:
    best: dict[int, int] = {}
    for begin, stop in spans:
        best[begin] = max(stop, best.get(begin, 0))
    last = -1
    for begin, stop in sorted(best.items()):
        if begin > last:
            stop = _joined(tokens, stop, best)
            start, end = tokens[begin].start, tokens[stop].end
            yield Name(start, end, text[start:end], "org")
            last = stop


def _joined(tokens: Sequence[Token], stop: int, best: dict[int, int]) -> int:
    """Where an organisation ends of which another is a part: 国会 + 外委会, 北大 + 文艺社; two known names stay apart."""
    behind = best.get(stop + 1, stop)
    known = tokens[behind].text in organisations() and tokens[behind].text not in _ENDS
    return stop if known and behind == stop + 1 else behind


@lru_cache(maxsize=20_000)
def _kind(word: str, part: str) -> int:
    """Bits of what the word may be: the end of an organisation, a club."""
    return (_END if _may_end(word, part) else 0) | (_CLUB if word in clubs() else 0)


def _may_end(word: str, part: str) -> bool:
    """Whether organisations end with this word."""
    if word in _NOT_ORGS or word.endswith(_OCCASIONS):
        return False
    if len(word) == 1 and not part.startswith(_NOUNS):
        return False
    return (
        _is_known(word, part)
        or word in _ENDS
        or _ends_so(word, part)
        or (word in words_of("org") and word[-1] in _LAST_LETTERS)
    )


def _is_known(word: str, part: str) -> bool:
    if word in organisations() or word in _OFFICES or (word[-1] == "队" and word[:-1] in clubs()):
        return True
    if part in ("nz", "nr", "nrt", "ns") and (
        (len(word) > 4 and word.endswith(_LONG_ENDS)) or (len(word) > 3 and word.endswith(_FIRMS))
    ):
        return True
    if len(word) > 2 and word[-1] == "大" and word[-2] in "一二三四五六七八九十" and part in ("j", "nt"):
        return True
    return part == "nt" and word[-1] in _LAST_LETTERS and len(word) > 2 and word not in words_of("org")


def _ends_so(word: str, part: str) -> bool:
    if len(word) < 3:
        return False
    return (word[-1] in "部局厅院所会队厂委" and part.startswith(("n", "j"))) or (
        word.endswith(_LONGER) and part.startswith((*_NOUNS, "l", "i"))
    )


def _begin(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """Where the organisation that ends with this token, which may end one, begins; -1 if none does."""
    if _is_of_state(tokens, stop) or (stop + 1 < len(tokens) and tokens[stop + 1].text in _SITES):
        return -1
    if _is_known(tokens[stop].text, tokens[stop].part):
        return _chain(tokens, stop, starts)
    if stop + 1 < len(tokens) and tokens[stop + 1].text in _ENDS - _SHORT_ENDS:
        return -1
    return _leftmost(tokens, stop, starts)


def _is_of_state(tokens: Sequence[Token], stop: int) -> bool:
    if tokens[stop].text not in _STATES or stop == 0:
        return False
    return country_of(tokens[stop - 1].text) != "" or (tokens[stop].text == "内阁" and is_famous(tokens[stop - 1].text))


def _chain(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """Where a known organisation begins: with the places right before it."""
    begin = _congress(tokens, stop) if tokens[stop].text in _CONGRESSES else _numbered(tokens, stop, starts)
    while (
        begin > 0
        and stop - begin < _MAX_TOKENS
        and tokens[begin - 1].text not in organisations()
        and (tokens[begin - 1].start in starts or tokens[begin - 1].part == "ns")
        and tokens[begin - 1].text not in words_of("place")
        and len(tokens[begin - 1].text) > 1
    ):
        begin -= 1
    return begin - 1 if begin == stop and _is_of_level(tokens, begin) else begin


def _is_of_level(tokens: Sequence[Token], place: int) -> bool:
    """市 + 民政局: an office of the province or city that the text is about."""
    return place > 0 and tokens[place - 1].text in ("省", "市", "县", "区") and tokens[place].text[-1] in "局委厅办"


def _numbered(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """Where the number before a court or school begins, behind a place: 天津市 + 第一 + 中级 + 人民法院."""
    begin = stop
    while begin > 0 and (tokens[begin - 1].text[0] == "第" or tokens[begin - 1].text in ("中级", "高级")):
        begin -= 1
    return begin if begin > 0 and tokens[begin - 1].start in starts else stop


def _leftmost(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    end = tokens[stop].text
    named = end in _STRONG or _is_source(tokens, stop)
    best, letters = (_first_noun(tokens, stop) if named else -1), len(end)
    for begin in range(stop - 1, max(-1, stop - _MAX_TOKENS), -1):
        token = tokens[begin]
        if not _may_lie_before(tokens, begin, end):
            break
        letters += len(token.text)
        if (
            token.start in starts
            or (token.part in ("ns", "nz", "nt", "j") and len(token.text) > 1)
            or (token.part in ("nr", "nrt") and len(token.text) > 1 and stop - begin <= _MAX_TOKENS_AFTER_PERSON)
            or token.part == "eng"
            or (token.text in organisations() and len(token.text) > 1)
            or (begin == stop - 1 and token.part in ("nz", "nr", "nrt") and len(tokens[stop].text) > 1)
            or (token.text in _LEVELS and stop - begin > 1 and len(end) > 1)
        ):
            best = begin
    if end in _FULL_FIRMS and (begin := _place_before(tokens, stop, starts)) >= 0:
        return begin
    return best if letters > 2 or best == stop else -1


def _is_source(tokens: Sequence[Token], stop: int) -> bool:
    """Whether it is the site that a report names as its source: 时光 + 网 + 讯."""
    return tokens[stop].text == "网" and stop + 1 < len(tokens) and tokens[stop + 1].text in _REPORTS


def _may_lie_before(tokens: Sequence[Token], place: int, end: str) -> bool:
    """Whether this word may be in a name with this end: 住房 + 保障 + 管理中心, 科技 + 与 + 数字出版司."""
    token = tokens[place]
    if token.part == "v" and len(token.text) > 1 and place > 0 and end.endswith(_WITH_VERBS):
        return True
    if token.text == "驻" and end.endswith(_MISSIONS):
        return True
    before = tokens[place - 1] if place else token
    if token.text in _IN_NAMES and len(end) > 1 and not _may_end(before.text, before.part):
        return True
    return _may_be_in(token) or (end in _JOINED and _is_joint(tokens, place))


def _place_before(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """The place with which the full name of a firm begins, whatever words are between them; -1 without one."""
    for begin in range(stop - 1, max(-1, stop - _MAX_TOKENS), -1):
        token = tokens[begin]
        if token.start in starts and len(token.text) > 1:
            return begin
        if not "\u4e00" <= token.text[0] <= "\u9fff" or token.part in _NOT_IN_FIRMS:
            return -1
    return -1


def _congress(tokens: Sequence[Token], stop: int) -> int:
    """Where its number begins, or the party before that: 中共 + 第十五次 + 全国代表大会."""
    begin = stop
    while begin > 0 and (tokens[begin - 1].text[0] == "第" or tokens[begin - 1].text in "次届"):
        begin -= 1
    return begin - 1 if 0 < begin < stop and tokens[begin - 1].text in organisations() else begin


def _first_noun(tokens: Sequence[Token], stop: int) -> int:
    """The first of the nouns right before an end that says of what kind it is, if the last may be a name; −1 without any."""
    begin = stop
    while begin > 0 and stop - begin < _MAX_NOUNS and _is_noun(tokens[begin - 1], last=begin == stop):
        begin -= 1
    return begin if begin < stop else -1


def _is_noun(token: Token, *, last: bool) -> bool:
    if len(token.text) < 2 or not "\u4e00" <= token.text[0] <= "\u9fff":
        return False
    return token.part.startswith(("n", "vn", "j", "m") if last else ("n", "vn", "b"))


def _is_joint(tokens: Sequence[Token], place: int) -> bool:
    """房地产及住宅研究会: a word that joins two nouns of one name."""
    if tokens[place].text not in "及与和" or place == 0:
        return False
    near = (tokens[place - 1], tokens[place + 1])
    return all(len(token.text) > 1 and token.part in ("n", "vn", "j", "b") for token in near)


def _may_be_in(token: Token) -> bool:
    if token.text[0] == "第" and len(token.text) > 1:
        return True
    if token.text.lower() == "vs":
        return False
    return token.text in organisations() or token.part.startswith(_PARTS) or (len(token.text) == 1 and "\u4e00" <= token.text <= "\u9fff" and token.part in ("zg", "ng", "ag", "vg", "m", "nr", "x", "z") and token.text in surnames())  # fmt: skip
