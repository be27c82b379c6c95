"""Changes over time: baselines, bursts, forecasts and tag clouds over counts."""

from analysis.trend._forecast import Forecast, forecast
from analysis.trend._history import change, has_before, knows_usual
from analysis.trend.baseline import expected
from analysis.trend.bursts import WARM_UP, Burst, Sensitivity, find_bursts, latest_against_needed, needed
from analysis.trend.chart import spread_svg, trend_svg
from analysis.trend.event_spread import EventSpread, SiteReport, read_event_spread
from analysis.trend.tag_counts import Tag, TagCloud, read_tags, tag_cloud
from analysis.trend.trend import Trend, collecting_from, read_trend, trend_of

__all__ = [
    "WARM_UP",
    "Burst",
    "EventSpread",
    "Forecast",
    "Sensitivity",
    "SiteReport",
    "Tag",
    "TagCloud",
    "Trend",
    "change",
    "collecting_from",
    "expected",
    "find_bursts",
    "forecast",
    "has_before",
    "knows_usual",
    "latest_against_needed",
    "needed",
    "printing",
    "read_event_spread",
    "read_tags",
    "read_trend",
    "spread_facts",
    "spread_svg",
    "tag_cloud",
    "tag_counts",
    "trend_of",
    "trend_svg",
]
