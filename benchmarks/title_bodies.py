"""What the first sentences of reports say, by whether they tell one event: on reports whose events people labelled."""

import itertools
from collections import Counter
from pathlib import Path

from benchmarks.title_files import filled, lines, similarity
from extractors.titles import Rules
from extractors.titles.bodies import compare_leads, lead_of

SETS = ("stream_cec", "stream_en")


def body_table(data: Path) -> None:
    """Prints for each set how many pairs of reports have the same, different and undecided texts; of those that tell one event
    also for the pairs with titles that are alike. data: the folder of the titles, beside that of the reports."""
    for name in SETS:
        rows = list(lines(data.parent / "analysis" / f"{name}.jsonl.gz"))
        index, leads = filled(row["title"] for row in rows), [lead_of(row["text"], row["title"]) for row in rows]
        found: dict[str, Counter[str]] = {"one event": Counter(), "other events": Counter(), "titles alike": Counter()}
        for (one, lead), (other, its) in itertools.combinations(zip(rows, leads, strict=True), 2):
            verdict = compare_leads(lead, its).verdict or "undecided"
            same = one["event"] == other["event"]
            found["one event" if same else "other events"][verdict] += 1
            if same and similarity(index, (one["title"], other["title"])) >= Rules().lower_threshold:
                found["titles alike"][verdict] += 1
        for pairs, counts in found.items():
            print(f"{name:12} {pairs:14} {dict(counts)}")
