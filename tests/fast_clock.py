"""Scrapy's command line in a process whose crawl has a faster clock, for simulated webs.

python -m tests.fast_clock 288 crawl watch -a sites=seeds.txt     288 seconds of the crawl pass in one second
"""

import sys

from scrapy.cmdline import execute

from crawler.clock import set_speed

if __name__ == "__main__":
    speed, sys.argv = float(sys.argv[1]), ["scrapy", *sys.argv[2:]]
    set_speed(speed)
    execute()
