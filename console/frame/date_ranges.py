"""Labels of hours, days and weeks for charts and their tables."""

from datetime import date, datetime, timedelta

from console.frame.word_catalogue import Words


def stretch(at: str, unit: str, short: bool = False, *, words: Words) -> str:
    """The label of the range that begins at this local time: "28 May 10:00", "28 May", "week from 28 May"; `short` for axes."""
    time = datetime.fromisoformat(at)
    if short:
        unit = "short.hour" if unit == "hour" and time.hour else "day"
    values = {"month": time.month, "day": time.day, "month_name": f"{time:%b}", "hour": f"{time:%H}"}
    return words(f"charts.{unit}", **values)


def last_day(at: str, unit: str) -> str:
    """The last day of the day or week that begins then."""
    return (date.fromisoformat(at[:10]) + timedelta(days=6 if unit == "week" else 0)).isoformat()


def is_weekend(at: str) -> bool:
    return date.fromisoformat(at[:10]).weekday() > 4
