"""What can go wrong with records and reports.

    ReportError            a report could not be made or written; the records are untouched
    └── RecordsError       records could not be read, written or used together

Each carries one sentence that says what happened, where, and what to do about it.
"""

from __future__ import annotations


class ReportError(Exception):
    """A report could not be made or written. The records it is made of are untouched."""


class RecordsError(ReportError):
    """Records could not be read or written, or do not belong together."""
