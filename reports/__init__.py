"""Records of a run, and what is made of them: a summary, plain text, Markdown, JUnit XML, one HTML file.

    records = reports.read(["records/"])              # or what the suite has in hand
    print(reports.plain_text(reports.summarise(records)))
    reports.write_html(records, "index.html", previous=reports.read(["last/"]))

Nothing here runs, loads or judges anything: it knows records alone.
"""

from reports.beside import markdown_matrix
from reports.changes import Changes, diff
from reports.errors import RecordsError, ReportError
from reports.jsonl import Writer, read, read_runs, write
from reports.junit import junit_xml
from reports.plain import markdown, plain_text
from reports.summary import Summary, summarise
from reports.svg_badge import badge
from reports.versions import markdown_history
from reports.writing import html, write_html, write_text

is_ours = True  # other distributions install a package called `reports` too; none of theirs says this

__all__ = [
    "Changes",
    "RecordsError",
    "ReportError",
    "Summary",
    "Writer",
    "badge",
    "diff",
    "html",
    "is_ours",
    "junit_xml",
    "markdown",
    "markdown_history",
    "markdown_matrix",
    "plain_text",
    "read",
    "read_runs",
    "summarise",
    "write",
    "write_html",
    "write_text",
]
