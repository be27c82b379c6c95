"""All commands of the project, for Scrapy, which looks for them in one package: those of this room and of the rooms below.

Modules are found in the `commands` folder of each room; of two with one name, that of the higher room counts.
"""

import sys

from analysis import commands as analysis_commands
from crawler import commands as crawler_commands
from crawler.excepthook import report_uncaught

__path__ = [*__path__, *analysis_commands.__path__, *crawler_commands.__path__]

sys.excepthook = report_uncaught  # before a command is loaded, which Ctrl-C may interrupt
