"""The text of an article that runs over several pages."""

from collections.abc import Sequence


def join_parts(texts: Sequence[str], separator: str = "\n") -> str:
    """The pages' texts in order; lines that every page repeats (a title, an editor's line) appear once.

    separator: between the lines; a blank line for the blocks of Markdown.
    """
    if len(texts) < 2:
        return "".join(texts)
    parts = [text.split(separator) for text in texts]
    repeated = set.intersection(*map(set, parts))
    seen: set[str] = set()
    lines: list[str] = []
    for part in parts:
        lines.extend(line for line in part if line not in repeated or line not in seen)
        seen.update(part)
    return separator.join(lines)
