"""Names of authors: recognising names in a text, and the reporters named inside Chinese news."""

import re

from extractors.text.dates import find_time

MAX_NAME_CHARS = 40
MAX_SIGNED_CHARS = 80
_LABEL = re.compile(
    r"^(?:(?:written |authored |posted |published |all articles |more articles )?by\b|(?:alles|mehr|alle (?:artikel|beiträge)) von\b|"
    r"(?:publié par|publicado por|(?:veröffentlicht|geschrieben) von|scritto da)\b|"
    r"(?:por|von|vom|par|di)\b|authors?\b|"
    r"(?:text|words|story|interview)(?:\s(?:und|and|&)\s\w{3,12})?(?=\s*:)|"
    r"(?:文章|本文|原文)?作者|博主|著者|筆者|執筆|文(?=\s*[:：/]))\s*[:：/]?\s*",
    re.I,
)
_NOT_A_NAME = re.compile(r"来源|时间|日期|发布|点击|浏览|评论|编辑|字号|\d{3}")
_JUNK = re.compile(
    r"^(?:\[object.*|undefined|null|none|n/?a|unknown|anonymous|name \*|guest|webmaster|site admin|posts?|home|menu|about(?: us)?"
    r"|(?:(?:twitter|facebook|linkedin|instagram|youtube|whatsapp|telegram|github|gitee|e-?mail|rss|weibo|qq|微博|微信|知乎|掘金)[\s,|/·]{0,3}){1,6}"
    r"|select|search|title|abstract|subject|[\w-]{1,40}\.(?:conf|html?|php|js|css|py|txt|pdf|jpe?g|png|sh|md)|\d{1,2}:\d\d.*|[\d.,]{1,8}k?\s(?:posts?|min)\b.*"
    r"|(?:sign|log) ?(?:in|up|out)|register|subscribe|follow(?: us)?|share|comments?|leave a (?:reply|comment)|login|contact(?: us)?"
    r"|(?:view|see|read|show)\s(?:more|all)\b.*|more (?:posts|from|by)\b.*|all posts\b.*|(?:\w+ )?theme\b.*|theme \w+|powered by.*"
    r"|the author|written by|updated|published|advertisement|[a-z]{0,3}[_-]?\d{3,}|更多|登录|注册|首页|关于|匿名|佚名|未知|本站|管理员"
    r"|\d{1,5}\s?(?:(?:文章|日志|標籤|标签|分类|分類|篇).*|posts?|articles?|tags?|categories)|[“”„«\"「『].*"
    r"|[\u4e00-\u9fff]{4,20}\s?[,，、！!]\s?[\u4e00-\u9fff]{4,20}[^\u4e00-\u9fff]{0,9}"
    r"|.{0,6}(?:https?:|www\.).*|(?:no|topic|thread) author|(?:your )?name\W.*|role|reset|insights? (?:from|by)"
    r"|.{1,60}\b(?:sagt|schreibt|says|said|writes|dit|dice|ha detto|пишет)\s?:?"
    r"|(?:alle|all|tous|todos|tutti) (?:beiträge|artikel|articles|posts|les articles|los artículos|gli articoli)"
    r"|(?:publiziert|veröffentlicht|geschrieben|erstellt|aktualisiert|published|posted|written|updated|publié|publicado|pubblicato)"
    r" (?:am|on|at|le|el|il)?|(?:view|afficher|ver|zum) .{0,20}(?:profil|profile|perfil)\b.*)$",
    re.I,
)
_HOUSE = re.compile(
    r"^(?:[\w-]{1,60}\.)+(?:com|cn|net|org|info|tv|de|jp|tw|hk)$|^[^\s@]+@[^\s@]+$|\badmin(?:istrator)?$"
    r"|(?:redaktion|newsroom|desk|editorial (?:team|staff|board))$"
    r"|[\u4e00-\u9fff](?:网|報|报|网站|通讯社|电视台|客户端|编辑部|频道)$",
    re.I,
)
_OWN_SITE = re.compile(
    r"(\S.{0,30}?\S)(?:['’]s?\s(?:(?:tech|personal|dev)\s)?(?:blog|site|website|homepage|notes)|的?(?:个人)?(?:博客|小站|主页))",
    re.I,
)
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石"
    "廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟"
    "殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳"
    "常时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞"
    "張劉陳楊黃趙吳孫馬羅鄭謝許韓馮鄧蕭蔣蔡葉蘇魏呂盧譚陸鍾賈韋鄒閻龍賀顧龔錢嚴湯溫龐顏莊聶魯歐關蘭紀單駱藍"
)
_ONE = rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}"
_REPORTERS = re.compile(
    rf"(?:记者|記者|通讯员)[\s·|]{{1,3}}({_ONE}(?:[\s、]{{1,3}}{_ONE}){{0,4}})(?![\u4e00-\u9fff])"
    rf"|[（(](?:[^（()）]{{0,12}})(?:记者|記者)[\s:：]{{0,3}}((?:[\u4e00-\u9fff·]{{2,8}})(?:[\s、]{{1,3}}(?!通讯员|实习|摄影)[\u4e00-\u9fff·]{{2,8}}){{0,4}})"
    r"(?:[\s,，]{1,3}(?:通讯员|实习生|摄影|摄).{0,30})?[)）]"
    r"|记者\s{0,2}([\u4e00-\u9fff]{2,4}(?:[\s、]{1,3}[\u4e00-\u9fff]{2,4}){0,4}?)\s{0,2}发自"
)
_TAIWANESE = re.compile(
    r"(?:^|[^\u4e00-\u9fff])(?:中央社|本報)?記者([\u4e00-\u9fff]{2,4}(?:[、,，][\u4e00-\u9fff]{2,4}){0,3})[／/]\s?[\u4e00-\u9fff、]{2,8}報導"
    r"|記者([\u4e00-\u9fff]{3})[\u4e00-\u9fff]{2,4}(?:\d{1,2}日)?(?:專|綜合|外)?電"
)
_CLOSING = re.compile(
    rf"[（(]\s?(?:({_ONE}(?:[ \u3000、]{{1,2}}{_ONE}){{1,3}}"
    rf"|[{_SURNAMES}][\u4e00-\u9fff](?![摄攝图圖文完报報社網网台中编編译譯电電讯訊])[\u4e00-\u9fff])"
    rf"|({_ONE})\s[\u4e00-\u9fff]{{2,6}}(?:报道|報導|报导|電|电))\s?[)）]\s*$"
)
"""A name of three characters, several names, or a name and where it reports from, in brackets at the end of a Chinese text."""
_REPORTER_SIGNS = ("记者", "記者", "通讯员")
_WORD = r"[A-ZÀ-ÖØ-ÞŁŚŻČŠŽĐА-ЯΑ-Ω][\w.'’-]{0,24}"
_LED = re.compile(
    r"^(?:(?i:von|par|por|di|door|av|af|автор|yazan)\s{0,2}:?|(?i:tekst|text|autore?)\s{0,2}:)\s{1,3}"
    rf"({_WORD}(?:\s(?:(?:von|van|de|der|den|di|da|del|la|zu|el|al)\s){{0,2}}{_WORD}){{1,3}})"
    r"(?=$|\s?[|•·,;–—/(-]|\s(?:am|le|el|il|op|den|in|und|et|y|e)\b|\s\d)"
)
_LABELLED = re.compile(
    rf"^\W{{0,2}}(?:Autor(?:in|ka)?|Author|Auteure?|Autore|Автор|Yazar)\s?:[ \t\xa0]{{1,3}}({_WORD}(?:[ \t\xa0]{_WORD}){{1,3}})",
    re.M,
)
_SIGNED = re.compile(rf"{_WORD}(?:\s{_WORD}){{1,3}}(?:\s?(?:/|,|and|und|et|y|&)\s?{_WORD}(?:\s{_WORD}){{1,3}}){{0,3}}")
_SEARCHED_CHARS = 400


def name_of(text: str) -> str:
    """The name in the text of an element marked as the author's, "" if there is none."""
    name = _LABEL.sub("", " ".join(text[:500].split()))
    if not 1 < len(name) <= MAX_NAME_CHARS + 10 or is_junk(name) or find_time(name):
        return ""
    return name


def led_name(line: str) -> str:
    """The name of two words and more in a line that begins like a byline ("von", "par", "автор") and has little else; "" for
    none."""
    found = _LED.match(line.strip()[:200])
    return "" if found is None or is_junk(found[1]) else found[1]


def is_junk(name: str) -> bool:
    """Whether a text at an author's place is not a name: a menu word, a template's text, a label."""
    return bool(_NOT_A_NAME.search(name) or _JUNK.match(name))


def is_label(name: str) -> bool:
    """Whether the text at an account's place is not a name: a menu word, a template's text. Accounts, unlike names, may have numbers."""
    return bool(_JUNK.match(name))


def is_house(name: str) -> bool:
    """Whether an author's name is clearly a publisher's: an address, or a Chinese name with the ending of newspapers."""
    return bool(_HOUSE.search(name[:100]))


def without_post(name: str) -> str:
    """A declared author without the job title and employer that some sites add after a comma."""
    first, _, rest = name.partition(",")
    is_post = any(word.islower() and len(word) > 4 for part in rest.split(",") for word in part.split()[1:])
    return first if is_post and 1 < len(first.split()) <= 4 else name


def owner_of(name: str) -> str:
    """The person in the name of a personal site, such as "Jane's blog"; other names unchanged."""
    found = _OWN_SITE.fullmatch(name)
    return name if found is None else found[1]


def names_alone(line: str) -> str:
    """The line if it consists of names of two or more words, else ""."""
    names = _LABEL.sub("", " ".join(line[:500].split()))
    return names if len(names) <= MAX_SIGNED_CHARS and _SIGNED.fullmatch(names) and not is_junk(names) else ""


def reporters(text: str) -> str:
    """The reporters named in the first or last sentences of Chinese news, with or without a colon, and the name after a label
    such as "Autorin:"; "" if there are none."""
    for part in (text[:_SEARCHED_CHARS], text[-_SEARCHED_CHARS:])[: 1 + (len(text) > _SEARCHED_CHARS)]:
        if any(sign in part for sign in _REPORTER_SIGNS) and (
            found := _REPORTERS.search(part) or _TAIWANESE.search(part)
        ):
            return " ".join(next(filter(None, found.groups())).replace("、", " ").split())
        if ":" in part and (found := _LABELLED.search(part)):
            return found.group(1)
    return ""


def closing_name(text: str) -> str:
    """The names in brackets that end a Chinese text, "" if there are none."""
    end = text[-_SEARCHED_CHARS:].rstrip()
    found = _CLOSING.search(end) if end.endswith((")", "）")) else None
    return " ".join((found[1] or found[2]).replace("、", " ").split()) if found else ""
