"""The graph of reposts stays readable whatever pages say."""

import io
import json
from xml.etree import ElementTree

from pipelines.propagation import write_graphml, write_json


def test_a_delay_that_cannot_be_one_is_left_out() -> None:
    row = {
        "title": "",
        "url": "",
        "site": "",
        "author": "",
        "published": "",
        "cosine": 1.0,
        "reposts": 2,
        "original": "1",
    }
    out = io.StringIO()
    write_json(
        [{**row, "page": page, "delay_hours": hours} for page, hours in (("1", 0.0), ("2", 101_592.0), ("3", 2.0))], out
    )
    assert [link["delay_hours"] for link in json.loads(out.getvalue())["links"]] == [None, 2.0]


def test_characters_that_xml_forbids_are_dropped() -> None:
    title = "甲\ufffe\uffff\ud800\x00\x1b<&>\U0001f600"
    row = {"title": title, "url": "http://a.example/\x0b", "site": "", "author": None, "published": "", "cosine": 1.0}
    rows = [{**row, "page": page, "original": "1", "reposts": 1, "delay_hours": None} for page in ("1", "2\ufffe")]
    out = io.StringIO()
    assert write_graphml(rows, out) == 1
    graph = ElementTree.fromstring(out.getvalue())
    texts = [data.text for data in graph.iter() if data.get("key") == "title"]
    assert texts == ["甲<&>\U0001f600"] * 2
