"""The row of an event, made of its members."""

from analysis.events.store.summing import event_row


def test_a_surname_is_the_person_whose_whole_name_is_known() -> None:
    people = {
        "a": ["Trump", "Volodymyr Zelensky"],
        "b": ["Donald Trump", "Trump", "卡里姆·拉德哈瓦"],
        "c": ["Smith", "Ann Smith", "Bob Smith", "拉德哈瓦", "阿尔法・卡里姆・拉德哈瓦"],
    }
    members = [
        {"page": page, "at": f"2026-05-10T0{number}:00:00+00:00", "site": "a.example", "title": "A title", "topic": "", "story": "a",
         "comments": 0, "repost": 0}
        for number, page in enumerate(people)
    ]  # fmt: skip
    readings = {page: {"elements": {"people": [[name, ""] for name in names]}} for page, names in people.items()}
    row = event_row("a", members, readings, {"a": "2026-05-10", "b": "2026-05-10T09:00+08:00"}, "", dropped=False)
    assert row["people"] == ["Donald Trump", "阿尔法·卡里姆·拉德哈瓦", "Volodymyr Zelensky"]
    assert (row["first_published"], row["last_published"]) == ("2026-05-10", "")
