"""Values made storable: pages are hostile, and one odd character or number must not cost a page."""

from typing import Any

_LARGEST = 2**63 - 1


def storable(value: Any) -> Any:
    """The same value with lone surrogates replaced and whole numbers kept within 64 bits, also inside lists and mappings."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-_LARGEST - 1, min(_LARGEST, value))
    if isinstance(value, (list, tuple)):
        return [storable(each) for each in value]
    if isinstance(value, dict):
        return {_text(str(key)): storable(each) for key, each in value.items()}
    return value


def _text(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
