"""Comparisons with the period before, the usual and the coming day, in sentences that every format shares."""

from analysis.report.model import Report


def counts_said(report: Report, pages: str = "", sites: str = "") -> str:
    """Pages, sites and posts, against the period before, and what is not counted yet; `pages` and `sites` may be links."""
    w, count = report.words, int(report.trend.series.counts.sum())
    said = w(
        "message.counts", pages=pages or w("count_pages", n=count), sites=sites or w("count_sites", n=report.site_count),
        posts=report.posts, before=before_said(report),
    )  # fmt: skip
    return w("sentences", first=said, second=w("waiting", n=report.waiting)) if report.waiting else said


def before_said(report: Report) -> str:
    """Pages of the period before, or that they cannot be compared."""
    w = report.words
    return w("before.pages", n=report.before) if report.trend.has_before else w("before.too_little")


def outlook_said(report: Report) -> str:
    """The last day's collection against the usual, and the forecast; or that there is too little history for both."""
    w, trend = report.words, report.trend
    if not trend.knows_usual:
        return w("too_little")
    coming = trend.forecast
    error = "" if coming.error is None else w("error", error=f"{coming.error:.0%}")
    low, high = f"{coming.low:.0f}", f"{coming.high:.0f}"
    forecast = w("message.forecast", total=f"{coming.total:.0f}", low=low, high=high, error=error)
    return w("sentences", first=w("message.coverage", coverage=f"{trend.coverage:.2f}"), second=forecast)


def change_said(report: Report, change: float, digits: int = 1) -> str:
    """How many times the share of the period before a word has (log2 given); "" if that was not collected."""
    return f"×{2**change:.{digits}f}" if report.trend.has_before else ""
