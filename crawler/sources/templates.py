"""Texts with fields in braces, as the files of engines and sources have them: `{page}`, `{date:%Y%m%d}`, `${VARIABLE}`."""

import re
from collections.abc import Collection, Mapping
from urllib.parse import quote

from extractors.links.urls import host_of

FIELD = re.compile(r"\$\{(\w+)\}|\{([^{}:]*)(?::([^{}]*))?\}")
"""An environment variable, or a field with an optional date format."""


class KeyMissingError(Exception):
    """A key or an address that the operator has not set is needed."""


def key_of(keys: Mapping[str, str], name: str) -> str:
    """The value of an environment variable; raises KeyMissingError with its name."""
    if not keys.get(name):
        raise KeyMissingError(f"Set the environment variable {name} to use this.")
    return keys[name]


def checked_template(text: str, names: Collection[str], times: Collection[str]) -> str:
    """The text itself; ValueError for a field that is not among these, or a format of one that is no time."""
    for found, name, form in FIELD.findall(text):
        if not found and (name not in names or (form and name not in times)):
            known = ", ".join(f"{{{field}}}" for field in names)
            raise ValueError(f"{{{name}}} is not known; there are {known}, and ${{NAME}} from the environment")
    return text


def check_address(text: str) -> None:
    """ValueError for a text that is no web address with a host, whatever its fields are."""
    if text and (not text.startswith(("http://", "https://")) or not host_of(FIELD.sub("x", text))):
        raise ValueError("must begin with http:// or https:// and a host")


def filled(text: str, values: Mapping[str, object], keys: Mapping[str, str], *, quoted: bool = False) -> str:
    """The text with its fields replaced; raises KeyMissingError for an unset variable."""

    def value(found: re.Match[str]) -> str:
        if found[1]:
            return key_of(keys, found[1])
        known = values[found[2]]
        written = format(known, found[3] or "") if known != "" else ""
        return quote(written) if quoted else written

    return FIELD.sub(value, text)


def filled_parameters(
    parameters: Mapping[str, str], values: Mapping[str, object], keys: Mapping[str, str]
) -> dict[str, str]:
    """The parameters of an address, without those that have an empty field."""
    return {
        name: filled(text, values, keys)
        for name, text in parameters.items()
        if all(environment or values[field] != "" for environment, field, _ in FIELD.findall(text))
    }
