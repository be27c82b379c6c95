"""Challenges and bans are told from pages: own ones after public descriptions, and ordinary pages that speak of them."""

import gzip
import json

import pytest

from crawler.bans.refusals import challenge_of, refusal_of_redirect
from testbed.shared_data import SHARED

_ARTICLES = SHARED / "data" / "articles"
_TEXT = "这是一篇普通的文章，讲述了城里昨天发生的事情以及人们的看法。" * 30
CHALLENGES = {
    "cloudflare": (403, "<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Checking the connection"),
    "cloudflare block": (403, '<div id="cf-error-details"><h1>Sorry, you have been blocked</h1><p>You cannot enter a.example'),
    "turnstile": (200, '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script><p>One moment</p>'),
    "akamai": (403, "<h1>Access Denied</h1>You have no permission. Reference #18.3 https://errors.edgesuite.net/18.3"),
    "akamai wait": (200, '<div id="sec-if-cpt-container"></div><script src="/_sec/cp_challenge/ak.js"></script>'),
    "imperva": (200, '<iframe src="/_Incapsula_Resource?CWUDNSAI=9">Request unsuccessful. Incapsula incident ID: 7-1</iframe>'),
    "datadome": (403, '<script src="https://ct.captcha-delivery.com/c.js"></script><p>Please enable JS</p>'),
    "perimeterx": (403, '<title>Access to this page</title><div id="px-captcha"></div><script>window._pxAppId="P"</script>'),
    "aws captcha": (200, "<script>window.gokuProps={}</script><div id=captcha-container></div><p>Confirm</p>"),
    "aliyun": (200, "<script>var arg1='A';document.cookie='acw_sc__v2='+x</script>"),
    "aliyun block": (405, "<title>405</title><img src=//errors.aliyun.com/i.png><p>由于您访问的URL有威胁，您的访问被阻断。"),
    "taobao": (200, "<script src='/_____tmd_____/punish?x5secdata=1'></script>"),
    "tencent": (200, '<div id="TencentCaptcha"></div><script src="https://ssl.captcha.qq.com/TCaptcha.js"></script>'),
    "baidu": (200, "<title>百度安全验证</title><p>网络不给力，请稍后重试</p><a href=https://wappass.baidu.com/x>返回</a>"),
    "zhihu": (403, '{"error":{"message":"系统监测到您的网络环境存在异常，请点击下方验证按钮","redirect":"/account/unhuman"}}'),
    "weibo": (200, "<title>Sina Visitor System</title><span>Loading</span>"),
    "dianping": (200, '<title>验证中心</title><script>location="https://verify.meituan.com/v2"</script>'),
    "forum": (200, "<title>提示</title><p>抱歉，您的请求过于频繁，请稍后再试。</p>"),
    "waf": (403, "<title>网站防火墙</title><p>您的请求带有不合法参数，已被网站管理员设置拦截！"),
    "google": (200, "<p>Our systems have detected unusual traffic from your computer network.</p>"),
    "slider": (200, "<title>滑动验证页面</title><p>请拖动滑块完成验证</p>"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CHALLENGES))
def test_challenges_are_told(name: str) -> None:
    status, text = CHALLENGES[name]
    assert challenge_of(status, "https://some.example/page", text.encode())
    assert challenge_of(status, "https://some.example/page", text.encode("gb18030"))


def test_a_service_says_itself_that_it_challenges() -> None:
    assert challenge_of(202, "https://some.example/", b"", "challenge")
    assert challenge_of(405, "https://some.example/", b"<title>Human</title>", "captcha")
    assert not challenge_of(200, "https://some.example/", b"<p>page", "count")


@pytest.mark.parametrize(
    "text",
    [
        f"<title>验证码的历史</title><p>人机验证与访问过于频繁：{_TEXT}</p>",
        f"<title>A form</title><article>{_TEXT}</article><div class=g-recaptcha data-sitekey=1></div>",
        f"<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script><article>{_TEXT}</article>",
        "<title>短文</title><p>今天天气很好。</p>",
        "",
    ],
)
def test_pages_that_speak_of_challenges_are_pages(text: str) -> None:
    assert not challenge_of(200, "https://some.example/page", text.encode())


def test_an_ordinary_missing_page_is_no_ban() -> None:
    assert not challenge_of(404, "https://some.example/a", b"<title>404</title><p>Access denied? No: not found")


@pytest.mark.shared
def test_no_saved_page_is_taken_for_a_challenge() -> None:
    taken, seen = {}, 0
    for folder in ("zh-news", "zh-blogs", "zh-cleaneval", "aeb"):
        with gzip.open(_ARTICLES / folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            pages = [json.loads(line) for line in lines]
        for page in pages:
            body = gzip.decompress((_ARTICLES / folder / "pages" / f"{page['id']}.html.gz").read_bytes())
            seen += 1
            if said := challenge_of(200, page.get("url") or "https://some.example/page", body):
                taken[page["id"]] = said
    assert seen >= 150
    assert not taken


@pytest.mark.parametrize(
    ("location", "is_challenge"),
    [
        ("https://wappass.baidu.com/static/captcha/tuxing.html?backurl=x", True),
        ("https://verify.meituan.com/v2/web/general_page", True),
        ("/captcha?next=%2F", True),
        ("https://www.google.com/sorry/index?continue=x", True),
        ("https://www.zhihu.com/account/unhuman?type=1", True),
        ("/news/challenge-cup-2024.html", False),
        ("https://some.example/verified/accounts", False),
    ],
)
def test_redirects_to_challenges(location: str, is_challenge: bool) -> None:
    assert bool(refusal_of_redirect(location)) == is_challenge
