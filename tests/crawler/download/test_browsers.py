"""The browsers that visitors claim to be."""

from crawler.download.browsers import browser_of, browsers


def test_browsers_come_by_their_share_with_hints_that_fit() -> None:
    chosen = [browser_of(f"visitor{number}", "desktop") for number in range(4_000)]
    shares = {browser.name: browser.share for browser in browsers("desktop")}
    for name, share in shares.items():
        part = sum(browser.name == name for browser in chosen) / len(chosen)
        assert abs(part - share / sum(shares.values())) < 0.03
    for browser in browsers("any"):
        version = browser.agent.partition("Chrome/")[2].partition(".")[0]
        assert (f'v="{version}"' in browser.hints["Sec-CH-UA"]) if version else not browser.hints
        assert ("Mobile" in browser.agent) == (browser.platform == "mobile")
