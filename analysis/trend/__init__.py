"""What changes: baselines, bursts, forecasts and tag clouds over counts."""

from analysis.trend.baseline import expected
from analysis.trend.bursts import Burst, Sensitivity, find_bursts
from analysis.trend.chart import trend_svg
from analysis.trend.forecast import Forecast, forecast
from analysis.trend.tags import Tag, TagCloud, read_tags, tag_cloud
from analysis.trend.trend import LOCAL, Trend, read_trend, trend_of

__all__ = [
    "LOCAL",
    "Burst",
    "Forecast",
    "Sensitivity",
    "Tag",
    "TagCloud",
    "Trend",
    "expected",
    "find_bursts",
    "forecast",
    "read_tags",
    "read_trend",
    "tag_cloud",
    "trend_of",
    "trend_svg",
]
