"""The report of a topic over a time span, from stored facts, as one file."""

from analysis.report._printed import PrintingError, report_pdf
from analysis.report._word import report_word
from analysis.report.collect import collect
from analysis.report.excel import ExcelMissingError, report_excel
from analysis.report.html import report_html
from analysis.report.markdown_report import report_markdown
from analysis.report.model import Prose, Report
from analysis.report.prose import ProseError, ProseModel, Write, write_prose
from analysis.report.sending import report_message

__all__ = [
    "ExcelMissingError",
    "PrintingError",
    "Prose",
    "ProseError",
    "ProseModel",
    "Report",
    "Write",
    "collect",
    "report_excel",
    "report_html",
    "report_markdown",
    "report_message",
    "report_pdf",
    "report_word",
    "write_prose",
]
