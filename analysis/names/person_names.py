"""People's names: Chinese ones by surname, given characters and neighbours, foreign ones by their characters."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from analysis.names.divisions import country_of, is_division
from analysis.names.known import words_of
from analysis.names.letters import LetterWeights, famous_letters, is_common, is_famous, sure_surnames, surnames, weights
from analysis.names.model import Name
from analysis.names.tokens import Token

_BEFORE = frozenset(
    "记者 通讯员 编辑 摄影 总理 主席 总统 部长 书记 市长 省长 县长 镇长 教授 先生 女士 同志 教练 主教练 队长 球员 演员 导演 作家 歌手 司机 将军 局长 主任 董事长 "
    "总裁 经理 总经理 院长 校长 所长 会长 秘书长 村民 市民 网友 居民 男子 女子 嫌疑人 被告人 老师 医生 律师 选手 老人 名叫 叫 女孩 男孩 驾驶员 博士 院士 首相 外长 大使 "
    "队员 女高音 男高音 秘书 司令 政委 工程师 农民 工人 职工 学生 同学 妈妈 爸爸 科长 处长 股长 组长 社长 台长 行长 厅长 庭长 法官 检察官 民警 "
    "警官 警察 保安 店主 业主 船长 机长 队友 新秀 歌星 球星 专家 学者 画家 诗人 书法家 摄影师 设计师 评论员 制片人 编剧 总书记 首席执行官 受害人 患者 死者 当事人 被害人 原告 "
    "被告 发言人 国王 委员长 副总理 副主席 副部长 副总统 委员 代表 妻子 丈夫 儿子 女儿 父亲 母亲 艺人 影星 明星 男星 女星 主演 饰演 主持人 导师 厂长 站长 团长 连长 师长 战士 烈士 "
    "@ 、 中锋 前锋 后卫 门将 小将 名将 老将 冠军 CEO 创始人 分析师 负责人 "
    "主帅 外援 中场 议员 州长 候选人 女王 首富 合伙人 棋手 车手 拳手 主播 博主 影帝 影后 老公 老婆 男友 女友 前夫 前妻 领袖 议长".split()
)
_AFTER = frozenset(
    "说 表示 指出 认为 介绍 告诉 强调 称 等 先生 女士 同志 教授 老师 主席 总理 总统 部长 书记 市长 主任 局长 院长 校长 会见 透露 回忆 宣布 出席 主持 摄 报道 回应 坦言 谈到 饰演 "
    "博士 小姐 医生 律师 导演 夫妇 夫人 率领 陪同 率 执导 主演 一家 总裁 经理 董事长 发文 微博 晒 院士 教练 队长 将军 法官 警官 经理 大姐 大妈 大爷 阿姨 奶奶 爷爷 则 曾 直言 笑着 坦承 呼吁 建议 补充 解释 抱怨 去世 被捕 获 夺冠 、 （ ( ： "
    "官宣 晒出 现身 加盟 签约 当选 连任 访华 会晤 致电 履新 被查 落马 受审 出任 担任 卸任 辞职 毕业 饰".split()
)
_SINGLE_WORDS = frozenset("的了是在不有和与及等说被把将从对为于以向到这那我你他她它们都也就还又很太最更个中上下一二三四五六七八九十两几年月日时分人来去过得地着之其此该各每某先再已曾正要会能可没让给跟同并而但或如因所将是")  # fmt: skip
_NOT_IN_FOREIGN = _SINGLE_WORDS | _AFTER | {"新冠"}
_CHINESE_LIMIT = 2.4
_FOREIGN_LIMIT = 2.2
_SHORT_FOREIGN_LIMIT = 2.4
_CONTEXT = 1.6
_KNOWN = 2.5
_ONE = 1.0
_COMMON = 1.5
_PERSON = 1.0
_SURNAME_WEIGHT = 2.4
_SHORT_NAME_WEIGHT = 1.0
_LISTED = 3.0
_WORD = 0.5
_SPOKEN = 1.5
_UNKNOWN_PARTS = frozenset(("nz", "a", "x", "ng", "z"))
_SAYS = frozenset("说 表示 称 指出 认为 介绍 透露 坦言 强调 回忆".split())
_PEOPLE = ("nr", "nrfg")
_ODD_PARTS = frozenset(("ns", "nz", "v", "nt"))
_TITLES = frozenset(
    "先生 女士 老师 小姐 大娘 大妈 大爷 大姐 总 老 氏 律师 医生 教授 警官 师傅 阿姨 同学 经理 博士 太太 夫人 大夫 导 哥 姐 爷 奶奶 爷爷 主任 家 姓".split()
)
"""Behind a surname they make no full name."""
_OF_PLACES = "县郡镇村路市区乡"
"""No given name ends with them."""
_OF_THINGS = "费宴汤症病率额款税券罪粉饼糕饭菜肉药膏仪衣裤鞋帽椅桌"
"""What the model of names takes for one: 维修费, 红豆汤."""
_FOREIGN_ENDS = frozenset("尼斯特尔德夫茨丝娜娃雅蒂")
_MAX_SIGNED_TOKENS = 5
_MAX_SIGNED_CHARS = 4
_NO_SOUND = -0.8
"""Characters with lower odds hardly ever write foreign sounds."""
_FAMILIES = "家姓氏"
_CHIEFS = frozenset(
    "总统 总理 首相 秘书长 外长 防长 部长 副总统 发言人 议长 领袖 主席 大使 前锋 中锋 后卫 中场 门将 主帅 国王 州长 检察长 总干事 外援 "
    "负责人 教授 主管 将领 将军 司令 司令官 球星 球员 参议员 众议员 议员 检察官 法官 首席执行官 CEO 创始人 导演 作家 总裁 主任 经理 分析师 经济学家 教练 主教练 候选人 局长".split()
)
_GIVEN_LIMIT = 2.0
_LAST_LIMIT = 0.8
_DOTS = frozenset("·•・．‧-")
_DOTTED = re.compile("[·•・．‧]|[\u4e00-\u9fff]-[\u4e00-\u9fff]")
_MAX_DOTTED_TOKENS = 16
_MAX_TOKENS_BEFORE_DOT = 4
_WRITERS = frozenset("记者 通讯员 编辑 责编 实习生 摄影 主编 作者 见习记者 特约记者".split())
_CLOSING = frozenset("） ) 、 ， 。 摄 文 报道 】 ] 摄影 / ／".split())
_ROLE_ENDS = "长员家师手"
_MAX_FAMOUS_CHARS = 8
_BEGINS, _CHIEF = 1, 2
_MARKS = frozenset("、，。：:；;（(）)！!？?》” \n")
_LEAST_LAST = -1.0
_ALSO_GIVEN = "峰山州江河湖海岛港"
_PLACE_ENDS = frozenset("镇村乡县市州岛区庄沟堡屯寨街路河湖山峰湾港桥寺庙")
"""With a last character of these, what the dictionary takes for a long name of a person is a place."""


def find_people(text: str, tokens: Sequence[Token]) -> Iterator[Name]:
    """Names of people in the order of the text, none inside another."""
    dotted = _dotted(tokens) if _DOTTED.search(text) else {}
    kinds = [_kind(token.text, token.part) for token in tokens]
    behind = {place + 1 for place, kind in enumerate(kinds) if kind & _CHIEF}
    free = 0
    for place in [place for place, kind in enumerate(kinds) if kind & _BEGINS or place in dotted or place in behind]:
        if place < free:
            continue
        count = dotted.get(place) or _famous(tokens, place) or _plain(tokens, place)
        if count:
            start, end = tokens[place].start, tokens[place + count - 1].end
            yield Name(start, end, text[start:end], "person")
            free = place + count


def _plain(tokens: Sequence[Token], place: int) -> int:
    """Tokens of a name that no list has and that no dot joins."""
    if signed := _signed(tokens, place):
        return signed
    if chinese := _chinese(tokens, place):
        longer = _foreign(tokens, place)
        return longer if longer > chinese and tokens[place + longer - 1].text in _FOREIGN_ENDS else chinese
    return _foreign(tokens, place) or _foreign_chief(tokens, place)


def _signed(tokens: Sequence[Token], place: int) -> int:
    """Tokens of what stands alone between a writer's role and a mark: （记者王珏玢）, 记者晋美多吉摄."""
    if not place or tokens[place - 1].text not in _WRITERS:
        return 0
    stop = next(
        (at for at, token in enumerate(tokens[place : place + _MAX_SIGNED_TOKENS], place) if _closes(token)), place
    )
    words = [token.text for token in tokens[place:stop]]
    name = "".join(words)
    if len(words) < 2 or len(name) > _MAX_SIGNED_CHARS or not all("\u4e00" <= letter <= "\u9fff" for letter in name):
        return 0
    if all(len(word) > 1 and word[0] in surnames() for word in words):
        return 0
    return len(words) if name[0] in surnames() or all(weights(letter).foreign > _NO_SOUND for letter in name) else 0


def _closes(token: Token) -> bool:
    return token.text in _CLOSING or token.text.isspace()


@lru_cache(maxsize=20_000)
def _kind(word: str, part: str) -> int:
    """What the word may be: the beginning of a name, an office behind which one may begin whatever its words are."""
    return (_BEGINS if _may_begin(word, part) else 0) | (_CHIEF if word in _CHIEFS else 0)


def _may_begin(word: str, part: str) -> bool:
    """Whether a name without a dot may begin with this word."""
    return word[0] in famous_letters() or _has_surname(word) or _sounds(word, part)


def _has_surname(word: str) -> bool:
    return word not in words_of("person") and (word[0] in surnames() or word[:2] in surnames())


def _dotted(tokens: Sequence[Token]) -> dict[int, int]:
    """Where names with a dot begin, and how many tokens they have: 阿里·哈桑."""
    found: dict[int, int] = {}
    free = 0
    for dot in [place for place, token in enumerate(tokens) if token.text in _DOTS]:
        if dot <= free or not _joins(tokens, dot):
            continue
        begin = dot - 1
        while begin > free and dot - begin < _MAX_TOKENS_BEFORE_DOT and _may_go_on(tokens[begin - 1]):
            begin -= 1
        if tokens[begin].text in _ROLE_ENDS and begin < dot - 1:
            begin += 1
        free = _end_of_dotted(tokens, dot + 1)
        found[begin] = free - begin
    return found


def _end_of_dotted(tokens: Sequence[Token], place: int) -> int:
    """Behind the last token of a name of which this one stands behind the first dot."""
    stop = min(len(tokens), place + _MAX_DOTTED_TOKENS)
    place += 1
    while place < stop:
        if tokens[place].text in _DOTS and _joins(tokens, place):
            place += 2
        elif _may_go_on(tokens[place]):
            place += 1
        else:
            break
    return min(place, len(tokens))


def _may_go_on(token: Token) -> bool:
    return token.text not in _NOT_IN_FOREIGN and _is_foreign(token)


def _joins(tokens: Sequence[Token], dot: int) -> bool:
    """Whether a dot stands between two parts of a foreign name."""
    if not 0 < dot < len(tokens) - 1:
        return False
    sides = (tokens[dot - 1], tokens[dot + 1])
    if tokens[dot].text == "-":
        return all(map(_may_be_by_hyphen, sides)) and not all(_has_surname(side.text) for side in sides)
    return any(map(_is_foreign, sides)) and all(_is_foreign(side) or _may_be_by_dot(side) for side in sides)


def _may_be_by_hyphen(token: Token) -> bool:
    """A part of a foreign name, not of a route between two places: 凯文-杜兰特."""
    if country_of(token.text) != "" or is_division(token.text):
        return False
    return is_famous(token.text) or (_is_foreign(token) and token.part in ("nr", "nrt", "nz", "ns"))


def _may_be_by_dot(token: Token) -> bool:
    return 1 < len(token.text) < 5 and all("\u4e00" <= letter <= "\u9fff" for letter in token.text) and not _is_role(token) and token.text not in _AFTER and country_of(token.text) == ""  # fmt: skip


def _famous(tokens: Sequence[Token], place: int) -> int:
    """Tokens of the longest well-known name that begins there, where it does not go on as a name may."""
    text, best = "", 0
    if tokens[place].text[0] not in famous_letters():
        return 0
    for count, token in enumerate(tokens[place : place + 3], 1):
        text += token.text
        if len(text) > _MAX_FAMOUS_CHARS:
            break
        if is_famous(text):
            best = count
    return best


def _is_foreign(token: Token) -> bool:
    if token.text.isascii():
        return token.text.isalpha() and token.text[0].isupper() and len(token.text) == 1
    return all(weights(letter).foreign > _NO_SOUND for letter in token.text)


def _neighbours(tokens: Sequence[Token], place: int, count: int) -> float:
    after = tokens[place + count].text if place + count < len(tokens) else ""
    return _CONTEXT * ((place > 0 and _is_role(tokens[place - 1])) + (after in _AFTER))


def _is_role(token: Token) -> bool:
    """Whether a person's name may follow: 记者, 市委副书记, 摄影家."""
    if token.text in _BEFORE or token.text[-2:] in _BEFORE:
        return True
    return len(token.text) > 1 and token.part.startswith("n") and token.text[-1] in _ROLE_ENDS


def is_place_like(word: str, part: str) -> bool:
    """A place that the dictionary has as a person: 万埠镇, 李家沟."""
    if len(word) < 3 or part not in ("nr", "nrt") or word[-1] not in _PLACE_ENDS or is_famous(word):
        return False
    return len(word) > 3 or word[-1] not in _ALSO_GIVEN or not _sounds_given(word)


def is_person_like(word: str, part: str) -> bool:
    """A person that the dictionary has as something else: 沈伯洋, 刘彦彬."""
    return part in _ODD_PARTS and len(word) == 3 and word[0] in sure_surnames() and word[-1] not in _PLACE_ENDS and not is_division(word) and _sounds_given(word)  # fmt: skip


def _sounds_given(word: str) -> bool:
    """Whether the last two of three characters are rather a given name behind a surname."""
    return word[0] in surnames() and weights(word[1]).middle + weights(word[2]).last > (
        _GIVEN_LIMIT - (_SURNAME_WEIGHT if word[0] in sure_surnames() else 0.0)
    )


def _chinese(tokens: Sequence[Token], place: int) -> int:
    """Tokens of the best Chinese name that begins there; 0 if none is good enough."""
    if is_place_like(tokens[place].text, tokens[place].part):
        return 0
    if not _has_surname(tokens[place].text):
        return 0
    if _is_signed(tokens, place):
        return 1
    best, most = 0, _CHINESE_LIMIT
    text = ""
    for count, token in enumerate(tokens[place : place + 3], 1):
        text += token.text
        if len(text) > 4 or not _may_be_given(token, count):
            break
        if len(text) >= 2 and (score := _score(text, tokens, place, count)) > most:
            best, most = count, score
    return 2 if best == 1 and _goes_on(tokens, place) else best or _married(tokens, place)


def _married(tokens: Sequence[Token], place: int) -> int:
    """2 where a surname stands before a full name, as of married women in Hong Kong: 陈 + 冯富珍."""
    if tokens[place].text not in sure_surnames() or place + 1 >= len(tokens) or len(tokens[place + 1].text) != 3:
        return 0
    return 2 if tokens[place + 1].part in _PEOPLE and _chinese(tokens, place + 1) == 1 else 0


def _goes_on(tokens: Sequence[Token], place: int) -> bool:
    """Whether a name of two characters has a third before a mark: 李长 + 之 + 、."""
    if len(tokens[place].text) != 2 or place + 1 >= len(tokens) or tokens[place].text in surnames():
        return False
    letter = tokens[place + 1].text
    if len(letter) > 1 or not "\u4e00" <= letter <= "\u9fff":
        return False
    return weights(letter).last > _LEAST_LAST and (place + 2 >= len(tokens) or tokens[place + 2].text in _MARKS)


def _is_signed(tokens: Sequence[Token], place: int) -> bool:
    """Whether the word is all that stands between a role and a mark: （记者黄玫）."""
    if (
        not (0 < place < len(tokens) - 1)
        or tokens[place - 1].text not in _WRITERS
        or len(tokens[place].text) not in (2, 3)
    ):
        return False
    return tokens[place + 1].text in _CLOSING


def _may_be_given(token: Token, count: int) -> bool:
    if not "\u4e00" <= token.text[0] <= "\u9fff":
        return False
    return count == 1 or (len(token.text) <= 2 and token.text not in _SINGLE_WORDS)


def _score(text: str, tokens: Sequence[Token], place: int, count: int) -> float:
    double = text[:2] in surnames()
    if text[1:] in _TITLES or (len(text) > 2 and text[-1] in _OF_PLACES + _OF_THINGS):
        return -9.0
    given = text[2:] if double and len(text) > 2 else text[1:]
    if not 1 <= len(given) <= 2 or not (double or text[0] in surnames()):
        return -9.0
    letters = [weights(letter) for letter in given]
    score = letters[0].middle + letters[1].last if len(given) == 2 else _only(letters[0])
    score += _neighbours(tokens, place, count) + (2.0 if double and len(text) > 2 else 0.0)
    score -= _COMMON if is_common(text) else 0.0
    if count == 1:
        return score + (_SPOKEN if _speaks(tokens, place) else _whole(text, tokens[place].part))
    parts = tokens[place : place + count]
    cut = len(letters) == 2 and [len(token.text) for token in parts] == [2, 1]
    if cut and parts[0].part in _PEOPLE and letters[1].last > _LAST_LIMIT:
        return score + _whole(text, parts[0].part)
    if tokens[place].text in sure_surnames():
        score += _SURNAME_WEIGHT
    return score + sum(_PERSON if token.part in ("nr", "nrfg") else -_WORD for token in parts if len(token.text) > 1)


def _speaks(tokens: Sequence[Token], place: int) -> bool:
    """Whether an unknown word begins a sentence and says something: 卓彬说."""
    return (
        tokens[place].part in _UNKNOWN_PARTS
        and (place == 0 or tokens[place - 1].text in _MARKS)
        and place + 1 < len(tokens)
        and tokens[place + 1].text in _SAYS
    )


def _whole(word: str, part: str) -> float:
    """What it adds that the dictionary, or its model of names, has the whole as a person."""
    if part not in _PEOPLE and not is_person_like(word, part):
        return -9.0
    sure = word[0] in sure_surnames()
    listed = part == "nrfg" and word[-1] not in _FAMILIES
    return _KNOWN + (_LISTED if listed else 0.0) + (_SURNAME_WEIGHT if len(word) > 2 else _SHORT_NAME_WEIGHT) * sure


def _only(letter: LetterWeights) -> float:
    return max(letter.single, letter.last - 0.5, letter.middle - 1.0) - _ONE


def _foreign(tokens: Sequence[Token], place: int) -> int:
    """Tokens of a name in characters that write foreign sounds."""
    count = letters = known = 0
    total = 0.0
    for token in tokens[place : place + 5]:
        if not _sounds(token.text, token.part):
            break
        count, letters = count + 1, letters + len(token.text)
        known += token.part in ("nrt", "nr")
        total += sum(weights(letter).foreign for letter in token.text)
    if letters < 2 or letters > 8:
        return 0
    score = total / letters + _neighbours(tokens, place, count) / 2 + (0.6 if known else 0.0) + 0.15 * (letters - 3)
    word = "".join(token.text for token in tokens[place : place + count])
    if is_common(word) or (letters == 2 and not (known and score > _SHORT_FOREIGN_LIMIT)):
        return 0
    return count if score > _FOREIGN_LIMIT else 0


def _foreign_chief(tokens: Sequence[Token], place: int) -> int:
    """Tokens of a foreign name behind an office, whatever words the dictionary takes it for: 总统 + 阿比纳德尔."""
    if place == 0 or tokens[place - 1].text not in _CHIEFS:
        return 0
    count = letters = 0
    for token in tokens[place : place + 5]:
        if token.text in _NOT_IN_FOREIGN or not all(weights(letter).foreign > 0.0 for letter in token.text):
            break
        count, letters = count + 1, letters + len(token.text)
    return count if 3 <= letters <= 8 else 0


def _sounds(word: str, part: str) -> bool:
    if word in words_of("person") or (len(word) > 2 and word[-1] in _OF_THINGS):
        return False
    if part in ("nrt", "nr", "x", "nz") and len(word) > 1:
        return all(weights(letter).foreign > 0.0 for letter in word)
    if len(word) > 1 or word in _SINGLE_WORDS:
        return False
    return weights(word).foreign > 0.3
