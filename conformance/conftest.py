"""Makes `pytest conformance/` (and `pytest --pyargs conformance`) a run: see `plugin.py`."""

from conformance.plugin import (
    pytest_addoption,
    pytest_configure,
    pytest_configure_node,
    pytest_generate_tests,
    pytest_report_header,
    pytest_runtest_logreport,
    pytest_sessionfinish,
    pytest_terminal_summary,
    tapes,
)

__all__ = [
    "pytest_addoption", "pytest_configure", "pytest_configure_node", "pytest_generate_tests", "pytest_report_header",
    "pytest_runtest_logreport", "pytest_sessionfinish", "pytest_terminal_summary", "tapes",
]  # fmt: skip
