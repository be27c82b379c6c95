"""Numbers in figures and in Chinese."""

import re

DIGITS = {character: number for number, characters in enumerate(("零〇○", "一元正首", "二两", "三", "四", "五", "六", "七", "八", "九")) for character in characters}  # fmt: skip
_TENS = re.compile(r"(?:([一二两三四五六七八九])百零?)?(?:([一二三四五六七八九]?)(十))?([一二两三四五六七八九]?)")


def number(text: str) -> int:
    """The number that is written; -1 if it is none: 12, 十二, 二十, 一百零三, 二〇二六."""
    if text.isdecimal():
        return int(text)
    text = text.replace("廿", "二十")
    if found := _TENS.fullmatch(text):
        hundreds, tens, has_ten, ones = found.groups()
        total = 100 * DIGITS.get(hundreds or "", 0) + DIGITS.get(ones or "", 0)
        return total + (10 * DIGITS.get(tens or "一", 1) if has_ten else 0) if text else -1
    if text and all(character in DIGITS for character in text):
        return int("".join(str(DIGITS[character]) for character in text))
    return DIGITS.get(text, -1)


def year_of(text: str, around: int) -> int:
    """The year of "2015", "15" or "二〇一五"; two figures are within 20 years after `around`, Chinese ones within 5, or before."""
    if len(text) in (2, 4) and "十" not in text and "百" not in text:
        value = int("".join(str(DIGITS.get(character, character)) for character in text))
        if len(text) == 4:
            return value
        century = around // 100 * 100
        ahead = 20 if text.isdecimal() else 5
        return century + value if value <= around % 100 + ahead else century - 100 + value
    return number(text)
