"""Kinds of lines by how they begin: bylines, sources, related links, pagers, rights, dates."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.text.multi_search import matching_groups

LINE_KINDS: dict[str, str] = {
    "editor": r"[\[(（【]?\s?(?:责任编辑|責任編輯|责编|编辑|校对|审核|编审|值班|作者简介|本文作者|作者|文字|摄影|记者|by\b|written|posted|author|photo|image|credit|reviewed|edited|illustration|图片|图源|供图|来稿|撰文|制图"
    r"|責任編輯|編輯|校對|審核|攝影|圖／|圖/|文／|文/|автор|фото|текст|autor|fot\.|foto|zdjęci|opracowa|φωτο|photos?\b|撮影|写真|사진)",
    "source": r"[\[(（【]?\s?(?:本文来源|文章来源|来源|來源|原标题|原文|转载|转自|稿源|出处|本文转|本文作者|本文标题|本文链接|文章链接|文章标题|source|via\b|originally|this article"
    r"|本文來源|新聞來源|原標題|原文|轉載|轉自|稿源|出處|источник|по материалам|źródł|fuente|quelle|fonte|πηγή|出典|출처)",
    "related": r"(?:相关|推荐|热门|更多|猜你|延伸|阅读|最新|精彩|排行|看了又看|换一换|大家都在看|为您|您可能|往期|精选|related|recommended|more\b|you may|also read|explore|discover|view all|see all|(?:click|tap) here|read (?:more|next|also)|see also|popular|trending|latest|most read|also on|up next|top stories|você pode|leia (?:também|mais)|veja também|lire aussi|à lire|te puede|lee también|leggi anche|auch interessant|das könnte|mehr zum|lesen sie|weitere artikel|baca juga|artikel terkait|ilgili|читайте|похожие|関連|おすすめ|관련"
    r"|相關|推薦|熱門|猜你|延伸|閱讀|最新|精彩|排行|看更多|大家都在看|為您|您可能|編輯推薦|смотрите также|см\. также|смотри также|читай|другие (?:новости|материалы|статьи)|материалы по теме|новости по теме|по теме|(?:еще|ещё) по теме|последние (?:новости|публикации)|также по теме|zobacz|czytaj|przeczytaj|powiązane|podobne|polecamy|najnowsze|najczęściej|inne artykuły|więcej|διαβάστε|δείτε|σχετικ|περισσότερα|もっと|この記事|あわせて読み|多く読まれ|많이 본|더보기|lees ook|läs också|läs mer|les også|læs også|lue myös)",
    "pager": r"(?:上一|下一|前一|后一|首页|尾页|末页|返回|previous|next|prev\b|older|newer|back to|page \d|«|»|‹|›"
    r"|前一|後一|首頁|末頁|上頁|下頁|предыдущ|следующ|назад|poprzedni|następn|wróć|wstecz|前へ|次へ|이전|다음)",
    "share": r"(?:分享|扫一扫|扫码|关注|欢迎关注|长按|二维码|微信|微博|点赞|收藏|打赏|赞赏|举报|share|tweet|follow|like this|facebook|twitter|pin it|email|print"
    r"|掃一掃|關注|二維碼|點讚|收藏|讚|轉寄|列印|推文|поделиться|рассказать|код для блога|рекоменд|нравится|отправить|распечатать|podziel|udostępnij|lubię|drukuj|poleć|wyślij|κοινοποί|シェア|ツイート|공유|teilen|partager|compartir|condividi|partilhar)",
    "rights": r"(?:版权|特别声明|郑重声明|本站|凡本|声明|免责|著作权|备案|京icp|沪icp|粤icp|copyright|©|\(c\)|all rights|disclaimer|terms|privacy"
    r"|版權|鄭重聲明|特別聲明|聲明|免責|著作權|本網|凡本|备案|все права|авторски|при (?:использ|цитир|перепеч)|копирование|перепечатка|администрация|мнение|wszelkie prawa|prawa autorskie|kopiowanie|materiał chroniony|alle rechte|tous droits|todos los derechos|tutti i diritti|todos os direitos|無断|저작권)",
    "comment": r"(?:评论|发表|回复|跟贴|楼主|网友|留言|登录|注册|comments?|leave a|reply|last edited|click to expand|posts:|joined|was this|likes?\b|log ?in|sign|register|\d+ (?:comments?|replies|responses)"
    r"|評論|發表|回覆|跟貼|樓主|網友|留言|登入|註冊|комментар|оставить|добавить|обсудить|войти|регистрац|komentarz|skomentuj|dodaj|zaloguj|zarejestr|opinie|σχόλι|kommentar|commentaire|comentari|commenti|コメント|댓글|ログイン)",
    "tags": r"(?:标签|关键词|关键字|文章关键词|分类|专栏|tags?\b|filed|categor|topics?\b|labels?|keywords?"
    r"|標籤|關鍵詞|關鍵字|文章關鍵|分類|專欄|теги|метки|ключевые|рубрик|tagi|słowa kluczowe|kategori|schlagw|étiquet|etiquet|ετικέτ|タグ|태그|카테고리)",
    "subscribe": r"(?:订阅|subscribe|newsletter|get (?:the|our|your|a)\b|join|want (?:more|to)|ready to|book (?:a|now)|buy|check price|shop|add to|try |contact|call|click|download|advertisement|sponsored|广告|cookie|we use|accept"
    r"|訂閱|廣告|подпис|реклама|zapisz|subskryb|abonn|suscr|iscriviti|assine|εγγραφ|購読|구독)",
    "contents": r"(?:目录|文章目录|table of contents|contents|on this page|in this article|jump to|expand all|skip to|展开|收起|正在|您的浏览器|loading)",
    "affiliate": r"(?:as an |this (?:post|page|article|site) (?:may )?contains?|when you (?:buy|purchase)|if you (?:buy|click|make)|we (?:may |might )?(?:earn|receive|get)|our (?:team|editors|experts)|about (?:the author|us)|作者介绍)",
    "date": r"[(（\[]?(?:\d{4}\s?[-年/.]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d|\d{1,2}[:月/.]\d|updated|published|发布|时间|日期|\d+ (?:min|hour|day|week|month|year))",
}
LINE_NAMES = tuple(LINE_KINDS)
_KINDS = re.compile("|".join(f"({pattern})" for pattern in LINE_KINDS.values()))
"""For text in lower case: alternatives then fail quickly."""


def line_kinds(beginnings: Sequence[str]) -> NDArray[np.int8]:
    """int8: for each beginning of a line the number of its kind in `LINE_NAMES`, from 1; 0 for none. The first matching kind wins."""
    return matching_groups(_KINDS, beginnings)
