"""The spread of a news item: rows of the propagation table, and the graph of reposts."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from pipelines.originals import by_time, delay_hours, known_delay, original_of
from pipelines.stores.base import MutableRow, Row

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATTRIBUTES = ("title", "url", "site", "author", "published")


def order_story(rows: Iterable[Row]) -> list[MutableRow]:
    """The rows of one story, the original first, with originals, delays and counts recomputed."""
    members = [dict(row) for row in rows]
    first = original_of(members)
    ordered = [row for row in members if row is first] + sorted(
        (row for row in members if row is not first), key=by_time
    )
    for row in ordered:
        row["original"], row["reposts"] = first["page"], len(ordered) - 1
        row["delay_hours"] = delay_hours(first, row)
        row["verdict"] = "original" if row is first else "repost"
    return ordered


def pages_with_changed_verdict(before: Iterable[Row], now: Iterable[Row]) -> list[str]:
    """Pages that have become reposts, or have ceased to be reposts."""
    known = {row["page"]: row["verdict"] == "repost" for row in before}
    return [
        row["page"] for row in now if known.get(row["page"], row["verdict"] == "repost") != (row["verdict"] == "repost")
    ]


def write_json(rows: Iterable[Row], out: TextIO) -> int:
    """Nodes (pages) and edges (repost to original) as one JSON object; returns the number of edges."""
    nodes, edges = _graph(rows)
    json.dump({"directed": True, "nodes": nodes, "links": edges}, out, ensure_ascii=False, indent=1)
    out.write("\n")
    return len(edges)


def write_graphml(rows: Iterable[Row], out: TextIO) -> int:
    """The same as GraphML, which Gephi, yEd and networkx read."""
    nodes, edges = _graph(rows)
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name in _ATTRIBUTES:
        out.write(f' <key id="{name}" for="node" attr.name="{name}" attr.type="string"/>\n')
    for name in ("cosine", "delay_hours"):
        out.write(f' <key id="{name}" for="edge" attr.name="{name}" attr.type="double"/>\n')
    out.write(' <graph edgedefault="directed">\n')
    for node in nodes:
        data = "".join(_data(name, node[name]) for name in _ATTRIBUTES if node[name])
        out.write(f"  <node id={quoteattr(_xml_text(node['id']))}>{data}</node>\n")
    for edge in edges:
        data = "".join(_data(name, edge[name]) for name in ("cosine", "delay_hours") if edge[name] is not None)
        ends = (quoteattr(_xml_text(edge[end])) for end in ("source", "target"))
        out.write("  <edge source={} target={}>{}</edge>\n".format(*ends, data))
    out.write(" </graph>\n</graphml>\n")
    return len(edges)


GRAPHS = {"graphml": write_graphml, "json": write_json}


def _data(name: str, value: object) -> str:
    return f"<data key={quoteattr(name)}>{escape(_xml_text(str(value)))}</data>"


def _xml_text(text: str) -> str:
    """The text without characters that XML 1.0 forbids: one such character makes the whole document unreadable."""
    return _NOT_XML.sub("", text)


def _graph(rows: Iterable[Row]) -> tuple[list[MutableRow], list[MutableRow]]:
    nodes: list[MutableRow] = []
    edges = list(_edges(rows, nodes))
    return nodes, edges


def _edges(rows: Iterable[Row], nodes: list[MutableRow]) -> Iterator[MutableRow]:
    """An edge from each repost to its original; adds the nodes to `nodes`."""
    for row in rows:
        if not row["reposts"]:
            continue
        nodes.append({"id": row["page"], **{name: row[name] or "" for name in _ATTRIBUTES}})
        if row["original"] != row["page"]:
            yield {
                "source": row["page"],
                "target": row["original"],
                "cosine": row["cosine"],
                "delay_hours": known_delay(row["delay_hours"]),
            }
