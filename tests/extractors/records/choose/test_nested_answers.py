"""Posts around their answers are told from heads of single comments around their bodies."""

import numpy as np

from extractors.page import Page
from extractors.records.choose.nested_answers import cut_answers
from extractors.records.groups import RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import read_group

TEXTS = (
    "The ring of mine went after three years.",
    "Where can I buy the ring alone?",
    "Ask for the part number at the shop.",
    "Mine is made of steel and lasts longer.",
)
NAMES = ("Harriet", "Bo", "Cyd", "Dee")


def comment(name: str, text: str, day: int, answers: str = "") -> str:
    head = f'<header><p><i class="author">{name}</i> says</p><time>November {day}, 2025</time></header>'
    return f'<li><div>{head}<div class="body"><p>{text}</p></div></div>{answers}</li>'


def test_heads_around_bodies_are_no_posts() -> None:
    answer = '<ul class="inner">{}</ul>'
    rows = "".join(
        comment(name, text, day, answer.format(comment("Owner", f"Thank you, {text.lower()}", day + 9)))
        for day, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True), 11)
    )
    page = Page(f"<html><body><ol>{rows}</ol></body></html>".encode())
    elements = page.columns.elements
    bodies = np.flatnonzero([element.get("class") == "body" for element in elements])
    outer = np.flatnonzero([element.tag == "li" and element.getparent().tag == "ol" for element in elements])
    reading = read_group(layout_of(page, RecordGroup(bodies, "body")))
    features = dict.fromkeys(("has author", "has profile", "has time"), np.ones(1, dtype=np.float32))
    records, answers = cut_answers(reading, [RecordGroup(outer, "")], features)
    assert answers is None
    assert [draft.author for draft in records.drafts[:3]] == ["Harriet", "Owner", "Bo"]
