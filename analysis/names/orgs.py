"""Organisations: known ones, and runs of nouns that begin with a name and end as organisations do."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from analysis.names.divisions import country_of
from analysis.names.letters import surnames
from analysis.names.model import Name
from analysis.names.tokens import Token

_ENDS = frozenset(
    "公司 大学 学院 银行 部 委员会 委 局 厅 法院 检察院 队 集团 协会 学会 研究所 研究院 医院 中心 报社 出版社 电视台 俱乐部 基金会 总局 总公司 分公司 股份 有限公司 有限责任公司 党委 党 中学 小学 "
    "联合会 总会 联盟 事务所 支队 大队 中队 派出所 公安局 分局 交警 警方 卫视 日报 晚报 早报 晨报 时报 商报 周刊 社 工作室 商会 证券 保险 航空 科技 电器 厂 工厂 剧院 剧团 图书馆 乐团 组织 "
    "政府 人民政府 人民法院 人民检察院 人大 政协 国防部 外交部 教育部 财政部 商务部 工会 军区 军 师 团 部队 舰队 基地 实验室 学校 幼儿园 酒店 宾馆 餐厅 超市 商场 影业 传媒 影视 娱乐 网 "
    "旅行社 饭店 大酒店 杂志社 论坛 话剧团 歌舞团 合唱团 工委 纪委 党委会 营业部 办事处 支行 分部 研究会 研究室 商城 证券公司 保险公司 海军 空军 陆军 "
    "人民军 同盟军 军方 立法会 电影制片厂 水泥厂 分厂 使馆 大使馆 领事馆 女队 男队 一队 二队 商务部 国土资源局 房管局 监管部门 政府办 农经站 百货 地产 房产 资讯网 影城 旅行团 站 办公室 办 联队 总部 议会 参议院 众议院 内阁 法庭 理事会 董事会 监管局 管理局 管理处 处 所 院 会 馆".split()
)
_KNOWN = frozenset(
    "新华社 中新社 新浪 搜狐 网易 腾讯 百度 阿里巴巴 京东 华为 小米 联想 海尔 格力 美的 比亚迪 中兴 苹果公司 微软 谷歌 英特尔 索尼 三星 松下 丰田 本田 日产 宝马 奔驰 大众 福特 通用 摩托罗拉 诺基亚 可口可乐 "
    "麦当劳 肯德基 星巴克 沃尔玛 家乐福 亚马逊 特斯拉 波音 空客 雀巢 宝洁 花旗 高盛 摩根士丹利 汇丰 渣打 欧盟 东盟 北约 联合国 安理会 世贸组织 世卫组织 世界银行 欧佩克 国际奥委会 奥委会 国际足联 亚足联 足协 中国足协 "
    "篮协 中国篮协 乒协 央行 人民银行 工行 农行 中行 建行 招行 交行 工商银行 农业银行 中国银行 建设银行 招商银行 银监会 证监会 保监会 银保监会 发改委 国资委 卫健委 国务院 中共中央 中共 党中央 全国人大 全国政协 "
    "外交部 国防部 公安部 教育部 财政部 商务部 司法部 民政部 农业部 卫生部 文化部 水利部 交通部 铁道部 中宣部 中组部 国台办 中纪委 最高法 最高检 北大 清华 复旦 人大 浙大 南大 央视 中央电视台 凤凰卫视 湖南卫视 "
    "路透社 法新社 美联社 共同社 塔斯社 白宫 五角大楼 国会 克里姆林宫 杜马 国民党 民进党 共和党 民主党 工党 保守党 皇马 巴萨 曼联 切尔西 阿森纳 利物浦 曼城 热刺 国际米兰 国米 尤文图斯 拜仁 多特蒙德 英超 西甲 意甲 "
    "德甲 法甲 中超 中甲 欧冠 湖人 火箭 勇士 热火 国安 鲁能 恒大 申花 上港 暴雪 任天堂 育碧 中石油 中石化 中海油 中国移动 中国电信 中国联通 红十字会 塔利班 哈马斯 基地组织 美联储 国足 国奥 中央军委 解放军".split()
)
_OFFICES = frozenset("县委 市委 省委 区委 州委 镇党委 村委会 居委会 党支部 村党支部 团省委 团市委 市妇联 妇联 省政府 人大常委会 政协常委会 县政府".split())  # fmt: skip
_SHORT_ENDS = frozenset("部 委 局 厅 队 党 社 网 站 办 处 所 院 会 馆 军 师 团 厂".split())
_PARTS = ("n", "j", "b", "eng", "a", "vn", "s", "f", "l", "t", "q", "i", "an", "g", "x_")
_NOT_IN = frozenset(
    "本报讯 日讯 讯 关系 电 报道 荣获 时间 上述 上届 首届 前 原 两国 记者 先生 女士 消息 总统 总理 主席 部长 书记 市长 主任 日 月 年 时 人员 目前 今天 昨天 现在 今年 去年 同时 其中 期间 之后 之前 以来 当地 我国 本 该 全国 各地 地方 有关 相关 附近 下午 上午 晚上 同志 教授 院长 的".split()
)
_LAST_LETTERS = frozenset("部委局厅院所会队社司学行团党校厂馆台报织联盟军协央署网")
_NOT_ORGS = frozenset(
    "音乐会 交易会 演唱会 博览会 运动会 奥运会 亚运会 座谈会 展览会 大会 首脑会 国有银行 网上银行 人民军队 统计学 世界观 参政党 执政党 在野党 反对党 中介公司 大公司 中文网站".split()
)
_OCCASIONS = ("音乐会", "演唱会", "交易会", "博览会", "运动会", "展览会", "座谈会", "全会", "首脑会")
_STATES = frozenset(("政府", "中央银行"))
"""Behind the bare name of a country they are no organisation of their own name."""
_MOST = 7
_TEAM = frozenset(("队", "联队"))


def find_orgs(text: str, tokens: Sequence[Token], names: Sequence[Name]) -> Iterator[Name]:
    """Organisations in the order of the text; a place or person among `names` may be where one begins."""
    starts = {name.start for name in names}
    stops = [stop for stop, token in enumerate(tokens) if _may_end(token.text, token.part)]
    spans = [(begin, stop) for stop in stops for begin in (_begin(tokens, stop, starts),) if begin >= 0]
    yield from _longest(text, tokens, spans)


def _longest(text: str, tokens: Sequence[Token], spans: list[tuple[int, int]]) -> Iterator[Name]:
    best: dict[int, int] = {}
    for begin, stop in spans:
        best[begin] = max(stop, best.get(begin, 0))
    last = -1
    for begin, stop in sorted(best.items()):
        if begin > last:
            start, end = tokens[begin].start, tokens[stop].end
            yield Name(start, end, text[start:end], "org")
            last = stop


@lru_cache(maxsize=20_000)
def _may_end(word: str, part: str) -> bool:
    """Whether organisations end with this word."""
    if word in _NOT_ORGS or word.endswith(_OCCASIONS):
        return False
    return _is_known(word, part) or word in _ENDS or _ends_so(word, part)


def _is_known(word: str, part: str) -> bool:
    return word in _KNOWN or word in _OFFICES or (part == "nt" and word[-1] in _LAST_LETTERS and len(word) > 2)


def _ends_so(word: str, part: str) -> bool:
    return len(word) > 2 and word[-1] in "部局厅院所会队" and part.startswith("n")


def _begin(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """Where the organisation that ends with this token, which may end one, begins; -1 if none does."""
    if _is_of_state(tokens, stop):
        return -1
    if _is_known(tokens[stop].text, tokens[stop].part):
        return _leftmost(tokens, stop, starts, stop)
    if stop + 1 < len(tokens) and tokens[stop + 1].text in _ENDS - _SHORT_ENDS:
        return -1
    return _leftmost(tokens, stop, starts, -1)


def _is_of_state(tokens: Sequence[Token], stop: int) -> bool:
    return tokens[stop].text in _STATES and stop > 0 and country_of(tokens[stop - 1].text) != ""


def _leftmost(tokens: Sequence[Token], stop: int, starts: set[int], known: int) -> int:
    best, letters = known, len(tokens[stop].text)
    for begin in range(stop - 1, max(-1, stop - _MOST), -1):
        token = tokens[begin]
        if not _may_be_in(token):
            break
        letters += len(token.text)
        if (
            token.start in starts
            or (token.part in ("ns", "nz", "nt", "nr", "nrt", "j") and len(token.text) > 1)
            or token.part == "eng"
            or (begin == stop - 1 and _is_rare(token) and len(tokens[stop].text) > 1)
        ):
            best = begin
    return best if letters > 2 or best == stop else -1


def _may_be_in(token: Token) -> bool:
    if token.text in _NOT_IN:
        return False
    return token.part.startswith(_PARTS) or (len(token.text) == 1 and "\u4e00" <= token.text <= "\u9fff" and token.part in ("zg", "ng", "ag", "vg", "m", "nr", "x", "z") and token.text in surnames())  # fmt: skip


def _is_rare(token: Token) -> bool:
    return token.part in ("nz", "nr", "nrt")
