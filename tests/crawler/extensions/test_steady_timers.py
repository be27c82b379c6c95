"""Timers that wait when the clock is set back."""

import subprocess
import sys

import pytest

_SCRIPT = """
import sys, threading, time
wall, back = time.time, 0.0
time.time = lambda: wall() - back
from scrapy.utils.reactor import install_reactor
install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
from twisted.internet import reactor
from crawler.extensions.steady_timers import SteadyTimers
if sys.argv[1] == "steady":
    SteadyTimers.from_crawler(None)
reactor.callLater(0.3, lambda: (print("rang"), reactor.stop()))
back = 3_600.0
late = threading.Timer(3, lambda: reactor.callFromThread(reactor.stop))
late.daemon = True
late.start()
reactor.run()
"""


@pytest.mark.parametrize(("timers", "heard"), [("steady", "rang"), ("twisted's", "")])
def test_a_timer_rings_in_time_although_the_clock_is_set_back(timers: str, heard: str) -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT, timers], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == heard
