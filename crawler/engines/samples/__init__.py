"""One small answer in each engine's layout, with three results, to try its rules without asking it."""

from importlib.resources import files

from crawler.engines.base import Engine, Reply


def sample(engine: Engine) -> Reply:
    """The engine's sample; FileNotFoundError for an engine without one."""
    name = engine.about.name
    folder = files(__package__)
    found = next((each for each in folder.iterdir() if each.name in (f"{name}.html", f"{name}.json")), None)
    if found is None:
        raise FileNotFoundError(name)
    kind = "application/rss+xml" if name == "rss" else "text/html"
    return Reply(
        f"https://{engine.about.host or 'search.example'}/search", 200, found.read_bytes(), {"content-type": kind}
    )
