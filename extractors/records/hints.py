"""Words by which templates name their parts, and how class names are made comparable."""

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native
from extractors.text.multi_search import APART, holding, matching

_EDGE = rf"[^-_ {APART.encode('unicode_escape').decode()}]"
"""What stands at no edge of a name's words."""


def _words(inside: str, whole: str = "") -> re.Pattern[str]:
    """Finds these words anywhere, and the words of `whole` between the edges of a name, in one text or in many joined ones.

    Every branch begins with a letter, by which a pattern passes over most places of a text at once.
    """
    branches = (f"{word[0]}(?<!{_EDGE}{word[0]}){word[1:]}(?!{_EDGE})" for word in whole.split("|") if word)
    return re.compile("|".join(filter(None, (inside, *branches))))


TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}|\d{1,2}月\d{1,2}|(?<![\d.])\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d(?!\d)"
    r"|(?<!\d)[0-2]?\d:[0-5]\d(?!\d)|(?<![\d-])[01]?\d-[0-3]?\d(?![\d-])"
    r"|(?<![\d/])[01]?\d/[0-3]?\d(?![\d/])|\b\d{1,3}[dhm] ago\b|\b(?:19|20)\d\d-\d{1,2}\b"
    r"|[\d半几]\s?个?(?:秒|分|小时|小時|天|周|月|年)[钟鐘]?之?前|昨天|前天|今天|刚刚"
    r"|(?i:\b(?:ago|yesterday|today|just now|gestern|heute|hier|ayer)\b)"
    r"|(?i:\b(?:vor|il y a|hace) \w{1,5} \w)"
    r"|(?i:\b(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]{0,6}\.? \d{1,4}\b)"
    r"|(?i:\b\d{1,2}(?:st|nd|rd|th|\.)?[ -](?:de )?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec"
    r"|dez|ene|abr|ago|fév|avr|gen|mag|giu|lug|set|ott|dic)[a-z]{0,7}\b)"
)
"""Parts of times, to be seen where they begin and end; `extractors.records.timed` tells faster which of many texts have any."""
RECORD = _words(
    "post|comment|repl(?:y|ies)|message|review|answer|topic|thread|floor|discussion|athing|normalthread|media"
)
ASIDE = _words(
    "nav|menu|sidebar|related|footer|widget|pagina|breadcrumb|recommend|header|share|sponsor|tag-?cloud|archive|categor|calendar"
    r"|toc\b|banner|hot"
)
NOT_BODY = _words(
    "signature|avatar|toolbar|button|pstatus|lastedit|share|vote|action|tooltip|hidden|badge|ribbon"
    rf"|b(?<!{_EDGE}b)tn",
    "sig",
)
AUTHOR = _words("author|user-?_?name|nick|hnuser|userinfo|authi", "user|poster|by|name|member|commenter|creator|fn")
PROFILE = _words("user|member|profile|author|people|account|space|/u/|/@|uid[=-]|home\\.php")
"""Parts of addresses, in lower case."""
BODY = _words(r"content|message|body|text|entry|t_f\b|postmessage|markdown|comment-?(?:copy|text)|bbwrapper")
TITLE = _words(r"title|subject|topic|thread|headline|xst\b|标题", "tit")
_WORDLESS = re.compile(r"[\W\d]*$")
_NO_NAME = re.compile(
    r"[\d.,]+\s?[km]?$|\d[\d.,]*\s\w+$|(?:re)?ply|quote|report|share|permalink|edit|like|join|post|repl|view|comment|location"
    r"|(?:senior |junior |new |full |hero |sr\.? |jr\.? )?member$|(?:off|on)line\b|(?:global |forum |super )?moderator$"
    r"|(?:site )?administrator$|newbie$|participant$|keymaster$|guest user|topic (?:author|starter)|original poster|op$"
    r"|best answer"
    r"|registered|says:?$|said:?$|by$|wrote:?$|more$|less$|profile|message|follow|avatar|translate"
    r"|(?:管理员|版主|超级版主|楼主|新手|会员|注册会员|中级会员|高级会员|金牌会员|论坛元老|新手上路|沙发|板凳|地板)$"
)
"""At a text's beginning, in lower case."""
_IN_NO_NAME = re.compile("回复|引用|举报|点赞|分享|楼层|只看|发表于|帖子|积分|主题|注册|来自|查看|评论|收藏|倒序|在线")
OTHER_PERSON = _words(
    r"last|rely|latest|edit|reactions?\b|liked|quote|mention|最后|最新|删除|reply-?to|in-reply|badge|rank|level|count|stats\b|points|"
    + "|".join(rf"{who}[-_]?(?:title|group|info[-_]?extra|signature)" for who in ("user", "member", "author", "poster"))
)
OWN_TIME = re.compile(r"time|date|posted|publish|created|发表|发布|when|stamp")
OTHER_TIME = re.compile(
    r"join|regist|member since|edit|modif|last|update|注册|註冊|最后|编辑|修改|活跃|seit|inscri|born|birth"
)
ACT = re.compile(
    r"repl(?:y|ies)\b|quote\b|multi-?quote|report\b|like\b|thanks\b|up-?vote|permalink|flag\b|respond\b|answer\b|award\b|edit\b"
    r"|回复|回覆|引用|举报|檢舉|点赞|赞|顶|踩|只看|点评|评分|分享|返信|답글"
    r"|antworten|zitieren|melden|gefällt|répondre|citer|signaler|respond[ei]r|rispondi|cita\b|citar|segnala|denunciar"
    r"|ответить|цитировать|пожаловаться|odpowiedz|cytuj|zgłoś|yanıtla|reageer|beantwoord"
)
"""What a reader may do with a post, in lower case, at the beginning of the short text that offers it."""
NOTICE = _words("", "pingback|trackback")
QUOTE = _words("quote|cite|引用")
_STATE = frozenset(
    "odd even first last alt alternate new unread read hot active parent clearfix d-flex row col container item "
    "byuser bypostauthor author thread-odd thread-even left right hide show open closed sticky locked".split()
)
_NUMBER = re.compile(r"\d+")
_MOST_TOKENS = 8


@lru_cache(maxsize=8192)
def is_no_name(text: str) -> bool:
    """Whether a short text, in lower case, is what templates write beside names: "reply", "5 posts", "moderator"."""
    return any((_WORDLESS.match(text), _NO_NAME.match(text), _IN_NO_NAME.search(text)))


def may_be_names(texts: list[str]) -> NDArray[np.bool_]:
    """bool[texts]: none of those that `is_no_name` tells of."""
    none = matching(_NO_NAME, texts) | holding(_IN_NO_NAME, texts)
    none[[place for place, text in enumerate(texts) if not text[:1].isalpha() and _WORDLESS.match(text)]] = True
    return ~none


Tokens = tuple[str, ...]


def compared_names(names: list[tuple[str, str]]) -> tuple[list[Tokens], list[str], list[str]]:
    """Of pairs of class and id the tokens of each class, the stem of each id, and how both are spelled; by machine code where it
    was built."""
    if compiled := native():
        found: tuple[list[Tokens], list[str], list[str]] = compiled.compared_names(names, _STATE, _MOST_TOKENS)
        return found
    classes, identities = ([each[place] for each in names] for place in (0, 1))
    return list(map(class_tokens, classes)), list(map(id_stem, identities)), list(map(spelling, classes, identities))


@lru_cache(maxsize=8192)
def class_tokens(value: str) -> Tokens:
    """The comparable tokens of a class attribute: numbers cut out, parity and state dropped."""
    found = {_NUMBER.sub("", token).strip("-_") for token in value.lower().split()[:_MOST_TOKENS]}
    return tuple(sorted(token for token in found if len(token) > 1 and token not in _STATE))


@lru_cache(maxsize=8192)
def id_stem(value: str) -> str:
    """What an id has in common with its siblings', "" for one without a number."""
    return _NUMBER.sub("#", value) if _NUMBER.search(value) else ""


@lru_cache(maxsize=8192)
def spelling(classes: str, identity: str) -> str:
    """A class and an id in lower case, with # for each number."""
    return _NUMBER.sub("#", f"{classes} {identity}".strip().lower())
