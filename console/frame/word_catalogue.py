"""The console's own words in Chinese and English, one YAML file a page with both beside each other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from crawler.config import in_chinese, with_values
from crawler.config.yaml_file import LOADER

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
_WISH = re.compile(r"([a-z]{1,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q\s*=\s*([0-9.]{1,5}))?")


@cache
def catalogue() -> Mapping[str, tuple[str, str]]:
    """Chinese and English by key: the name of the file, a dot, the name in the file."""
    found: dict[str, tuple[str, str]] = {}
    for file in files("console.words").iterdir():
        if file.name.endswith(".yaml"):
            name = file.name.removesuffix(".yaml")
            for key, (chinese, english) in yaml.load(file.read_text(encoding="utf-8"), LOADER).items():
                found[f"{name}.{key}"] = (chinese, english)
    return found


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language."""

    language: Language

    @property
    def tag(self) -> str:
        """Language code for `lang=`."""
        return "zh-CN" if self.language == "zh" else "en"

    def __call__(self, key: str, /, **values: Any) -> str:
        """The words of this key. `{n}` is replaced by a value, `{n|page|pages}` by the word that fits the number n.

        The result is plain text: templates escape it. KeyError for an unknown key or value.
        """
        return with_values(catalogue()[key][LANGUAGES.index(self.language)], values)

    def has(self, key: str) -> bool:
        return key in catalogue()

    def stored(self, key: str, otherwise: str, values: Mapping[str, Any]) -> str:
        """As a call, for keys and values that are stored, of which an older or newer version may have others."""
        try:
            return self(key, **values)
        except KeyError:
            return otherwise

    def sentence(self, text: str) -> str:
        """An English sentence of an error, a file or a stored row in this language; unchanged if it is not known."""
        return in_chinese(text) if self.language == "zh" else text

    def maybe(self, key: str, otherwise: str) -> str:
        """For words that come from stored values, of which an older or newer version may have others."""
        return self(key) if self.has(key) else otherwise


def wished(header: str) -> Language:
    """The language that an Accept-Language header asks for; Chinese if it asks for neither."""
    wishes = (
        (match[1], _share(match[2])) for part in header.lower()[:500].split(",") if (match := _WISH.match(part.strip()))
    )
    known = [(share, name) for name, share in wishes if name in LANGUAGES and share > 0]
    best = max(known, key=lambda wish: wish[0], default=(0.0, "zh"))[1]
    return "en" if best == "en" else "zh"


def _share(text: str | None) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
