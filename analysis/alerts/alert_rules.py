"""Alert rules as declared by users: the condition, its threshold, and the channels."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError, field_validator, model_validator

from analysis.counts import DIMENSIONS
from crawler.config.yaml_file import Strict, TimeZone

Checked = TypeVar("Checked")
Grade = Literal["notice", "warning", "critical"]
CLOCK = r"^([01]\d|2[0-3]):[0-5]\d$"


class AlertRuleError(ValueError):
    """Invalid rule; the message names the key and says what to write."""


class QuietHours(Strict):
    """Daily hours in which only urgent rules send; `from` may be later than `until`."""

    start: str = Field(alias="from", pattern=CLOCK)
    until: str = Field(pattern=CLOCK)

    @model_validator(mode="after")
    def _differ(self) -> "QuietHours":
        if self.start == self.until:
            raise ValueError("from and until must differ")
        return self


class _Common(Strict):
    """Keys common to all rules.

    Attributes:
        grade: how grave an alert is; a grade may have channels and quiet hours of its own.
        channels: in place of those of the grade.
        quiet_hours: of this rule, in place of those of the grade and the file.
        urgent: sent in quiet hours too.
        updates: another message is sent when the size has doubled, at least an hour after the last one.
        ending: another message is sent at the end.
    """

    grade: Grade = "warning"
    channels: list[str] = []
    quiet_hours: QuietHours | None = None
    urgent: bool = False
    updates: bool = True
    ending: bool = False


class EventRule(_Common):
    """A new event reported by at least `sites` sites within `hours` hours; `topic` "" means every topic."""

    kind: Literal["event"]
    topic: str = ""
    sites: int = Field(default=3, ge=1, le=1_000)
    hours: int = Field(default=6, ge=1, le=24 * 14)


class BurstRule(_Common):
    """A burst of a series of counts: of a topic, or of one of its values, as in `of: term=余震`."""

    kind: Literal["burst"]
    topic: str = ""
    of: str = "all"
    posts: bool = False

    @field_validator("of")
    @classmethod
    def _is_series(cls, value: str) -> str:
        name, _, rest = value.partition("=")
        if name not in DIMENSIONS or (name != "all" and not rest):
            raise ValueError(f"must be one of {', '.join(DIMENSIONS[1:])} with a value, such as term=余震")
        return value


class TermRule(_Common):
    """At least `count` pages and posts with a term within `hours` hours; `term` is a query of `scrapy search`."""

    kind: Literal["term"]
    term: str = Field(min_length=1, max_length=400)
    topic: str = ""
    count: int = Field(default=3, ge=1, le=100_000)
    hours: int = Field(default=6, ge=1, le=24 * 14)


class PlaceRule(_Common):
    """At least `count` pages that name a place (or one inside it) and match a term, within `hours` hours."""

    kind: Literal["place"]
    place: str = Field(min_length=1, max_length=40)
    term: str = Field(min_length=1, max_length=400)
    topic: str = ""
    count: int = Field(default=2, ge=1, le=100_000)
    hours: int = Field(default=12, ge=1, le=24 * 14)


class MoodRule(_Common):
    """The share of negative texts in `hours` hours is significantly above that of the two weeks before, by at least `rise`."""

    kind: Literal["mood"]
    topic: str = ""
    posts: bool = False
    rise: float = Field(default=0.1, gt=0, lt=1)
    least: int = Field(default=20, ge=5)
    hours: int = Field(default=24, ge=1, le=24 * 7)


class SilentRule(_Common):
    """A site has nothing new although its usual rate predicts at least `expected` pages; [] means every site with
    at least one page a day."""

    kind: Literal["silent"]
    sites: list[str] = []
    expected: float = Field(default=10.0, ge=3)
    hours: int = Field(default=12, ge=1)
    ending: bool = True


class StalledRule(_Common):
    """A run has had no response for `minutes` minutes, or its process has died."""

    kind: Literal["stalled"]
    minutes: int = Field(default=60, ge=3)
    ending: bool = True


class FailedRule(_Common):
    """A run has failed; `spider` "" means every spider."""

    kind: Literal["failed"]
    spider: str = ""


class LayoutRule(_Common):
    """A list has changed its shape and can no longer be read whole; `sources` are names of recipes, [] means every list."""

    kind: Literal["layout"]
    sources: list[str] = []
    ending: bool = True


class EnteredRule(_Common):
    """An item whose title has one of the words enters a hot list; `sources` are names of recipes, [] means every list."""

    kind: Literal["entered"]
    words: list[Annotated[str, Field(min_length=1, max_length=100)]] = Field(min_length=1, max_length=200)
    sources: list[str] = []


class RankRule(_Common):
    """An item is among the first `rank` of a hot list; [] words means every item, [] sources every list."""

    kind: Literal["rank"]
    rank: int = Field(default=3, ge=1, le=500)
    words: list[Annotated[str, Field(min_length=1, max_length=100)]] = Field(default=[], max_length=200)
    sources: list[str] = []


class SubscriptionRule(_Common):
    """New matches of a query of `scrapy search`, if there are any: every day at `at` in `zone`, every hour, or at once."""

    kind: Literal["subscription"]
    grade: Grade = "notice"
    term: str = Field(min_length=1, max_length=400)
    topic: str = ""
    every: Literal["now", "hour", "day"] = "day"
    at: str = Field(default="08:00", pattern=CLOCK)
    zone: TimeZone = "Asia/Shanghai"


Rule = (
    EventRule
    | BurstRule
    | TermRule
    | PlaceRule
    | MoodRule
    | SilentRule
    | StalledRule
    | FailedRule
    | LayoutRule
    | EnteredRule
    | RankRule
    | SubscriptionRule
)
AnyRule = Annotated[Rule, Field(discriminator="kind")]
KINDS: Mapping[str, type[Rule]] = {
    "event": EventRule, "burst": BurstRule, "term": TermRule, "place": PlaceRule, "mood": MoodRule, "silent": SilentRule,
    "stalled": StalledRule, "failed": FailedRule,
    "layout": LayoutRule, "entered": EnteredRule, "rank": RankRule, "subscription": SubscriptionRule,
}  # fmt: skip
"""Every kind of rule."""
_ADAPTER: TypeAdapter[Rule] = TypeAdapter(AnyRule)
NEED_ANALYSIS = ("event", "burst", "term", "place", "mood", "silent", "subscription")
"""Kinds of rules that need analysed pages."""


class GradeKeys(Strict):
    """Defaults of the rules of a grade. Without quiet hours of its own, a grade has those of the file, and `critical`
    has none."""

    channels: list[str] = []
    quiet_hours: QuietHours | None = None


def checked_rule(values: Mapping[str, Any]) -> Rule:
    """A rule from plain values; AlertRuleError for the first mistake."""
    return checked_kind(_ADAPTER, values)


def checked_kind(adapter: TypeAdapter[Checked], values: Mapping[str, Any]) -> Checked:
    """A model of the `kind` that the values name; AlertRuleError for the first mistake."""
    try:
        return adapter.validate_python(dict(values))
    except ValidationError as error:
        fault = error.errors()[0]
    place = [str(part) for part in fault["loc"] if part != values.get("kind")]
    said = str(fault["msg"]).removeprefix("Value error, ")
    raise AlertRuleError(f"{'.'.join(place) or 'kind'}: {said}")
