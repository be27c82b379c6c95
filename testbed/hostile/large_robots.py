"""robots.txt files of 10 MB: rules, wildcards, user agents, and user agents times rules."""

from crawler.links.robots_rules import MAX_BYTES

_SIZE = 10_000_000


def large_robots() -> dict[str, str]:
    """By name a robots.txt; all let the crawl in."""
    agents = "".join(f"User-agent: a{number}\n" for number in range(MAX_BYTES // 32))
    lines = {
        "rules": "Disallow: /p{}/\n",
        "lengths": "Disallow: /{:x<80}\n",
        "wildcards": "Disallow: /*a{}*b*c\n",
        "long": "Disallow: /*" + "a*" * 200 + "{}x\n",
        "agents": "User-agent: a{}\nDisallow: /\n",
        "sitemaps": "Sitemap: http://x.example/{}\n",
    }
    start = "User-agent: *\nDisallow: /never\n"
    found = {name: start + _filled(line) for name, line in lines.items()}
    return found | {
        "both": agents + _filled("Disallow: /a{}\n"),
        "one line": "User-agent: *\nDisallow: /x" + "a*" * (_SIZE // 2),
    }


def _filled(line: str) -> str:
    return "".join(line.format(number) for number in range(_SIZE // len(line.format(100_000))))
