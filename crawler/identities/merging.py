"""Cookies that two have changed since they last agreed."""

from collections.abc import Iterable

from crawler.identities.cookies import PlainCookie


def merged(
    agreed: Iterable[PlainCookie], ours: Iterable[PlainCookie], theirs: Iterable[PlainCookie]
) -> list[PlainCookie]:
    """Theirs with what we have added, changed and dropped since we agreed; of what both have changed, ours."""
    before, mine, result = _by_name(agreed), _by_name(ours), _by_name(theirs)
    for name in before.keys() - mine.keys():
        result.pop(name, None)
    result |= {name: cookie for name, cookie in mine.items() if cookie != before.get(name)}
    return [result[name] for name in sorted(result)]


def _by_name(cookies: Iterable[PlainCookie]) -> dict[tuple[str, str, str], PlainCookie]:
    return {(cookie["domain"], cookie["path"], cookie["name"]): cookie for cookie in cookies}
