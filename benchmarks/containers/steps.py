"""What is tried, in order; each step returns what was seen, or raises StepError."""

import time

from benchmarks.containers.engine import StepError, wait
from benchmarks.containers.project import FIFTH, NAME, PAGES, SITES, Project


def databases(project: Project) -> str:
    """Redis and the stand-in start as users without rights and are healthy."""
    project.start("redis", "mongo", *SITES, FIFTH)
    for service in ("redis", "mongo"):
        project.until_healthy(service)
    return _without_rights(project, "redis", "mongo")


def two_nodes(project: Project) -> str:
    """Two nodes and the scheduler."""
    project.start("node", scale=2)
    project.until_healthy("node", 2)
    project.start("scheduler")
    time.sleep(3)
    if not project.names("scheduler"):
        raise StepError("the scheduler has ended")
    return _without_rights(project, "node", "scheduler")


def _without_rights(project: Project, *services: str) -> str:
    seen = []
    for service in services:
        for name in project.names(service):
            status = project.engine.podman("exec", name, "cat", "/proc/1/status")
            fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
            write = project.engine.podman("exec", name, "sh", "-c", "touch /usr/x 2>&1 || true")
            user, rights = fields["Uid"].split()[0], int(fields["CapEff"], 16)
            if user == "0" or rights or fields["NoNewPrivs"].strip() != "1" or "Read-only" not in write:
                raise StepError(f"{name}: user {user}, capabilities {rights:x}, {write}")
            seen.append(f"{service} {user}")
    return ", ".join(dict.fromkeys(seen)) + "; no capabilities, read-only"


def doctor(project: Project) -> str:
    """The compiled extension is used, and there is no fault but the names of hosts outside, which may not resolve here."""
    text = project.tools("scrapy", "doctor", check=False)
    faults = [line for line in text.splitlines() if line.startswith("FAULT") and not line.startswith("FAULT   DNS")]
    passed = [line for line in text.splitlines() if line.startswith("ok")]
    if faults or "C compiler" in text or "Traceback" in text or "Compiled extension: in use" not in text:
        raise StepError("; ".join(faults) or text[-500:])
    return f"{len(passed)} checks ok, the compiled extension among them"


def schedule(project: Project) -> str:
    """The schedule is valid and sees both nodes."""
    project.tools("scrapy", "schedule", "check", "/plan.yaml")
    idle = project.tools("scrapy", "schedule", "nodes", "/plan.yaml").count("idle")
    if idle != 2:
        raise StepError(f"{idle} idle nodes")
    return "2 idle nodes"


def crawl(project: Project) -> str:
    """A job on both nodes stores every page."""
    _job(project, "first")
    return _complete(project, "first", 240)


def node_killed(project: Project) -> str:
    """A third node joins; one of three is killed in the middle of a crawl."""
    project.start("node", scale=3)
    project.until_healthy("node", 3)
    _job(project, "second")
    wait(lambda: project.stored("second") > 30, 120, "30 pages before the kill")
    project.engine.podman("kill", project.names("node")[-1])
    return _complete(project, "second", 420) + " after the kill of one node of three"


def redis_killed(project: Project) -> str:
    """Redis is killed in the middle of a crawl and started again."""
    _job(project, "third")
    wait(lambda: project.stored("third") > 30, 120, "30 pages before the kill")
    project.engine.podman("kill", *project.names("redis"))
    time.sleep(5)
    project.engine.podman("start", f"{NAME}_redis_1")
    project.until_healthy("redis")
    return _complete(project, "third", 300) + " after the kill of Redis"


def stop(project: Project) -> str:
    """Stopping the nodes during a crawl ends its jobs in order; nodes started again finish it."""
    names = project.names("node")
    _job(project, "fourth")
    wait(lambda: project.stored("fourth") > 10, 120, "10 pages before the stop")
    started = time.monotonic()
    project.compose("stop", "node")
    project.engine.podman("stop", "-t", "90", *names)  # podman-compose stops one container of a scaled service
    seconds, before = time.monotonic() - started, project.stored("fourth")
    logs = [project.engine.podman("logs", name) for name in names]
    if not all("all jobs have ended" in log for log in logs) or before > PAGES:
        raise StepError(f"{before} pages; {logs[0][-300:]}")
    project.engine.podman("start", *names)
    project.until_healthy("node", len(names))
    _job(project, "fourth")
    return _complete(project, "fourth", 300) + f"; {len(names)} nodes ended in {seconds:.0f} s at {before}"


def export(project: Project) -> str:
    """The export of the tools container has every page of every site once, with its text."""
    rows = project.exported("--columns", "url,title,body")
    wanted = len(SITES) * (PAGES + 1)
    if len(rows) != wanted or len(set(rows)) != wanted or not all("市政府" in row for row in rows):
        raise StepError(f"{len(set(rows))} of {wanted} rows; {rows[:1]}")
    return f"{len(rows)} rows of {len(SITES)} sites"


def _job(project: Project, name: str) -> None:
    project.tools("scrapy", "schedule", "now", "/plan.yaml", name)


def _complete(project: Project, site: str, seconds: float) -> str:
    wait(lambda: project.stored(site) > PAGES, seconds, f"fewer than {PAGES + 1} pages")
    if (stored := project.stored(site)) != PAGES + 1:
        raise StepError(f"{stored} rows for {PAGES + 1} pages")
    return f"{stored} of {PAGES + 1} pages, each once"
