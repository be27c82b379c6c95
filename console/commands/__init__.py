"""All project commands in one package, as Scrapy expects: those of this package and of lower ones.

Modules are found in the `commands` folder of each top-level package; a higher package overrides a lower one.
"""

import sys

from analysis import commands as analysis_commands
from crawler import commands as crawler_commands
from crawler.excepthook import report_uncaught

__all__ = []

__path__ = [*__path__, *analysis_commands.__path__, *crawler_commands.__path__]

sys.excepthook = report_uncaught  # before a command is loaded, which Ctrl-C may interrupt
