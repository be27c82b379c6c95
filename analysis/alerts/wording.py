"""Chinese wording of alerts; the rows hold English. Titles of pages stay in their own language."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from crawler.config import in_chinese
from pipelines.stores.base import Row

Language = Literal["zh", "en"]
_Facts = Mapping[str, Any]


def worded(row: Row, language: Language) -> tuple[str, str]:
    """Title and text of an alert; as stored for English, or if facts are missing."""
    words = _CHINESE.get(row["kind"]) if language == "zh" else None
    try:
        title, text = words(row, row["facts"] or {}) if words else ("", "")
    except (KeyError, TypeError, ValueError):
        title, text = "", ""
    return title or row["title"], text or row["text"]


def _event(row: Row, facts: _Facts) -> tuple[str, str]:
    where = f"（{facts['place']}）" if facts["place"] else ""
    return row["title"], f"{facts['site_count']} 个站点的 {facts['pages']} 页报道{where}；最早 {facts['first_site']}"


def _burst(row: Row, facts: _Facts) -> tuple[str, str]:
    what = str(facts["of"]).partition("=")[2] or facts["topic"] or "全部专题"
    return f"{what}：明显比平时多", f"已有 {facts['count']} 条，平时 {facts['usual']:.0f} 条"


def _term(row: Row, facts: _Facts) -> tuple[str, str]:
    return row["title"], f"{facts['page_count']} 页上已有 {facts['count']} 条"


def _subscription(row: Row, facts: _Facts) -> tuple[str, str]:
    listed, least = [f"{title} {url}" for title, url in facts["listed"]], "至少 " if facts.get("cut") else ""
    return row["title"], "\n".join([f"{least}{facts['page_count']} 页、{facts['count']} 条", *listed])


def _mood(row: Row, facts: _Facts) -> tuple[str, str]:
    text = f"{facts['texts']} 条中负面占 {facts['share']:.0%}；此前 14 天为 {facts['before']:.0%}"
    return f"情绪转负：{row['topic'] or '全部专题'}", text


def _silent(row: Row, facts: _Facts) -> tuple[str, str]:
    return f"站点停更：{facts['site']}", f"按平时应有约 {facts['expected']:.0f} 页"


def _stalled(row: Row, facts: _Facts) -> tuple[str, str]:
    return f"抓取停滞：{facts['job']}", "进程已终止，或机器停机" if facts["died"] else "仍在运行，但没有应答"


def _failed(row: Row, facts: _Facts) -> tuple[str, str]:
    return f"任务失败：{facts['job']}", f"失败 {facts['runs']} 次；原因 {facts['reason']}，退出码 {facts['exit_code']}"


def _layout(row: Row, facts: _Facts) -> tuple[str, str]:
    return f"列表改版：{facts['list']}", f"不能再完整读取：{in_chinese(facts['reason'])}"


def _hot(row: Row, facts: _Facts) -> tuple[str, str]:
    lists = "、".join(f"{name} 第 {rank} 位" for name, rank in facts["ranks"])
    return f"热榜：{facts['item']}", f"{len(facts['ranks'])} 个榜单，最高：{lists}"


_CHINESE: Mapping[str, Callable[[Row, _Facts], tuple[str, str]]] = {
    "event": _event, "burst": _burst, "term": _term, "place": _term, "mood": _mood, "silent": _silent, "stalled": _stalled,
    "failed": _failed, "layout": _layout, "entered": _hot, "rank": _hot, "subscription": _subscription,
}  # fmt: skip
