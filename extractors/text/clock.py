"""The pattern of a time of day behind a date."""

_AT = r"(?:(?:a las?|a les|alle|(?:alle )?ore|ora|às|om|во?|об?|o(?: godz\.)?|kl\.?|klo|saat|ve?|la|στις|u|ob|kell|plkst\.?|lúc|pukul)\s)?"
"""Words between a date and a time of day, in languages other than those of the signs above."""
CLOCK = (
    rf"(?:[ T,，、·|at@umà()（）\[\]-]{{0,6}}{_AT}"
    r"(?:(?P<half>上午|下午|晚上|中午|凌晨|早上|清晨|傍晚|午后|오전|오후)\s{0,2})?"
    r"(?P<hour>[0-2]?\d)\s?[:：时時点點h]\s?(?P<minute>[0-5]\d)(?:\s?[:：分]\s?(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?分?秒?"
    r"\s?(?P<ampm>[AaPp]\.?[Mm]\b\.?|오전|오후)?\s?(?P<zone>Z\b|UTC|GMT|CST|EST|EDT|PST|PDT|[+-](?:0\d|1[0-4]):?[0-5]\d\b)?)?"
)
"""Optional; bounded, so that matching is linear."""
