"""The HTML report: `page(summary)` is the whole file as text; `without_times` leaves its block of times out."""

from reports.page.run import without_times
from reports.page.whole import page

__all__ = ["page", "without_times"]
