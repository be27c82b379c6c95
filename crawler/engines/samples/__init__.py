"""A small answer with three results in each engine's layout, to check its rules without a request."""

from importlib.resources import files

from crawler.engines.protocol.engine import Engine, Reply


def sample(engine: Engine) -> Reply:
    """The engine's sample; raises FileNotFoundError if it has none."""
    name = engine.about.name
    folder = files(__package__)
    found = next((each for each in folder.iterdir() if each.name in (f"{name}.html", f"{name}.json")), None)
    if found is None:
        raise FileNotFoundError(name)
    kind = "application/rss+xml" if name == "rss" else "text/html"
    return Reply(
        f"https://{engine.about.host or 'search.example'}/search", 200, found.read_bytes(), {"content-type": kind}
    )
