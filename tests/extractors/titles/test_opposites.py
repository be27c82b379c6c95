"""Parts of a series and opposite directions."""

import pytest

from extractors.titles import PUBLISHED, Rules, title_text
from extractors.titles.rules import objection


@pytest.mark.parametrize(
    ("one", "other", "object_to"),
    [
        ("老城巷口的裁缝铺访谈录（上）", "老城巷口的裁缝铺访谈录（下）", True),
        ("老城巷口的裁缝铺访谈录（一）", "老城巷口的裁缝铺访谈录（二）", True),
        ("河口镇茶叶出口额同比增长50%", "河口镇茶叶出口额同比下降50%", True),
        ("A guide to mending old kettles, Part I", "A guide to mending old kettles, Part II", True),
        ("Harbour towns see tea prices up 5 percent", "Harbour towns see tea prices down 5 percent", True),
        ("Tea price rises again in harbour towns", "Tea price falls again in harbour towns", True),
        ("老城巷口的裁缝铺访谈录（上）", "老城巷口的裁缝铺访谈录", False),
        ("河口镇茶叶出口额同比增长50%", "河口镇茶叶出口额同比增长 50%", False),
        ("华尔街早餐：周二美股盘前必读", "华尔街早餐：周五美股盘前必读", True),
        ("河口镇获全国龙舟赛冠军", "河口镇获全国龙舟赛亚军", True),
        ("Women's relay final in harbour town", "Men's relay final in harbour town", True),
        ("河口镇成为全省第2大茶叶产地", "河口镇成为全省第二大茶叶产地", False),
    ],
)
def test_parts_and_directions(one: str, other: str, object_to: bool) -> None:
    titles = title_text(one), title_text(other)
    assert objection(Rules(wording=False), *titles, None, 1.0) == ("numbers" if object_to else "")
    assert objection(Rules(wording=False), *titles[::-1], None, 1.0) == ("numbers" if object_to else "")
    assert objection(PUBLISHED, *titles, None, 1.0) == ""
