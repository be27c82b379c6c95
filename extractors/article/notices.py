"""Removal of notices at the end of a text: rights and liability, whose the text is, contact of the publisher, rules for comments.

They are prose in the article's own element, so only their words and their place identify them.
"""

import re

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks

_HAS_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_NOTICE = re.compile(
    r"凡(?:本[网網站報报台]|注明|註明|标明|標明|转载|轉載|来源|來源).{0,30}(?:来源|來源|稿件|作品|文章|转载|轉載|注明|註明)"
    r"|[版著][权權作](?:权|權)?.{0,6}(?:均?[为為属屬归歸]|所有|声明|聲明|[与與及和]免)|(?:免责|免責|法律|版权|版權|郑重|特别|特別)[声聲]明"
    r"|不(?:代表|表明|表示|等于|意味).{0,12}(?:赞同|贊同|同意|观点|觀點|立场|立場|证实|證實)"
    r"|(?:转载|轉載|摘编|摘編).{0,16}(?:注明|註明|出处|出處|授权|授權|许可|許可|必究)"
    r"|未[经經].{0,24}(?:授权|授權|许可|許可|同意|允许|允許).{0,30}(?:转载|轉載|使用|复制|複製|摘编|摘編|链接)"
    r"|[如若].{0,16}(?:侵权|侵權|侵犯|版权|版權|知识产权).{0,40}(?:联系|聯[系繫絡係]|删除|刪除|来电|來電|来函)"
    r"|[违違]者.{0,6}[责責究]|本(?:[站网網]|論壇|论坛).{0,16}(?:不[负負承]|保留|有权|有權)"
    r"|(?:留言|评论|評論|跟帖|网友|網友|发言|發言).{0,14}(?:限\s?\d{1,4}\s?字|遵守|謹慎|自行|不代表|自負|自负|管理|保留|[删刪]除)"
    r"|(?:投稿|稿件|举报|舉報|爆料|新闻|新聞)(?:处理|信箱|邮箱|郵箱|热线|熱線|电话|電話)"
    r"|(?:传真|傳真|联系电话|聯絡電話|电话|電話|邮箱|e-?mail|qq群?)\s?[:：]|無断(?:転載|複製)|무단\s?(?:전재|복제|배포)|저작권자"
)
_NOTICE = re.compile(
    r"\ball rights reserved\b|(?:©|\(c\)|copyright)\s.{0,30}(?:19|20)\d\d"
    r"|\bmay not be (?:published|reproduced|broadcast|rewritten|redistributed|copied)"
    r"|\b(?:views|opinions) expressed .{0,60}\b(?:author|own|not|do not|contributor)"
    r"|\bfor (?:informational|educational)(?: and [a-z]{3,20})? purposes only"
    r"|\bnot (?:[a-z]{1,12} ){0,4}(?:financial|medical|legal|investment) advice"
    r"|\bwe (?:may |might )?(?:earn|receive|get) (?:an? )?(?:[a-z]{1,12} ){0,2}commission|\bcontains? affiliate links"
    r"|\balle rechte vorbehalten|\btous droits réservés|\btodos os direitos reservados|\btutti i diritti riservati"
    r"|\btodos los derechos reservados|\bwszelkie prawa zastrzeżone|все права защищены|με επιφύλαξη"
    r"|\b(?:kopiowanie|rozpowszechnianie|przedruk).{0,60}(?:zabron|zgod)"
    r"|(?:обладател|авторски)[а-я]{1,4} .{0,40}(?:прав|свидетельств)|не нес[её]т ответственност"
    r"|мнение (?:автор|редакц)[а-я]{0,4} .{0,30}(?:не|может)|при (?:использ|перепеч|цитир).{0,50}(?:ссылк|обязательн)"
)
"""Matches lower-case text."""
_SIGNS = (
    "rights reserved|©|(c)|copyright|may not be|expressed|purposes only|advice|commission|affiliate|rechte|droits|derechos|diritti|"
    "direitos|prawa|zabron|zgod|прав|ответственност|мнение|ссылк|обязательн|επιφύλαξη"
).split("|")
_CJK_SIGNS = (
    "凡|权|權|声明|聲明|代表|表明|表示|等于|意味|转载|轉載|摘编|摘編|未经|未經|侵权|侵權|侵犯|版|违者|違者|本站|本网|本網|本論壇|本论坛|留言|评论|評論|跟帖|"
    "网友|網友|发言|發言|投稿|稿件|举报|舉報|爆料|热线|熱線|电话|電話|传真|傳真|邮箱|郵箱|信箱|mail|qq|無断|무단|저작권"
).split("|")
"""Every notice has one of them; searching for them takes a twentieth of the time of the patterns."""
_LEGAL = re.compile(
    r"声明|聲明|版权|版權|免责|免責|条款|條款|协议|協議|disclaimer|terms|privacy|policy|copyright|impressum|licen[sc]e",
    re.I,
)
"""Words in titles of pages that are notices themselves."""
_LABELLED = re.compile(
    r"(?:(?:本?文章?)?(?:标题|標題|作者|链接|鏈接|連結|许可|許可|协议|協議)|(?:创建|建立|发布|發布|发表|發表|更新|修改)(?:于|於|时间|時間|日期)"
    r"|(?:post )?(?:title|author|link|permalink|licen[sc]e)|(?:created|posted|published|(?:last )?(?:updated|modified))(?: at| on)?"
    r"|タイトル|著者|リンク|ライセンス|(?:作成|公開|更新)日時?|titre|auteur|lien|(?:créé|publié|mis à jour) le)\s{0,40}[:：]"
)
"""Lines of a box below a text that says whose it is: title, author, address, licence and times; matches lower-case text."""
_MAX_LABELLED_CHARS = 160
_MAX_CHARS, _MAX_BLOCKS = 700, 16
_MIN_LEFT_CHARS = 20
_MAX_GAP, _SHORT_CHARS = 2, 60
"""Maximum number and visible characters of short blocks between two notices that belong to them."""


def drop_notices(blocks: Blocks, chosen: NDArray[np.bool_], length: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without the notices at the end, if there is text before. length: int64[B], visible
    characters."""
    taken = np.flatnonzero(chosen)
    begin, gap = len(taken), 0
    for place in range(len(taken) - 1, max(-1, len(taken) - 1 - _MAX_BLOCKS), -1):
        number = int(taken[place])
        if length[number] <= _MAX_CHARS and _is_notice(blocks.text(number)):
            begin, gap = place, 0
        elif length[number] <= _SHORT_CHARS and gap < _MAX_GAP:
            gap += 1
        else:
            break
    if begin == len(taken) or length[taken[:begin]].sum() < _MIN_LEFT_CHARS or _is_legal(blocks):
        return chosen
    left = chosen.copy()
    left[taken[begin:]] = False
    return left


def _is_notice(text: str) -> bool:
    lowered = text.lower()
    if (
        len(lowered) <= _MAX_LABELLED_CHARS
        and (":" in lowered or "：" in lowered)
        and _LABELLED.match(lowered.lstrip())
    ):
        return True
    signs, notice = (_CJK_SIGNS, _CJK_NOTICE) if _HAS_CJK.search(lowered) else (_SIGNS, _NOTICE)
    return any(sign in lowered for sign in signs) and bool(notice.search(lowered))


def _is_legal(blocks: Blocks) -> bool:
    """Whether the page's title calls it a notice."""
    titles = np.flatnonzero(blocks.columns.tagged("title", "h1"))[:2]
    return any(_LEGAL.search(blocks.columns.text(place)[:200]) for place in titles.tolist())
