"""Makes the options of `plugin.py` known to `pytest --pyargs conformance`, in any folder.

pytest loads this in every run of an environment with tapecheck (it is an entry point), so it imports nothing and does
nothing unless the command line names the package. In a checkout, `pytest conformance/` finds `conftest.py` by itself.
"""

from __future__ import annotations

import pytest


def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Load the plugin for `--pyargs conformance`. UsageError when foreign packages answer instead of ours."""
    if "--pyargs" in args and any(arg.partition("::")[0].partition(".")[0] == "conformance" for arg in args):
        _check_siblings()
        early_config.pluginmanager.import_plugin("conformance.plugin")


def _check_siblings() -> None:
    from conformance.siblings import ForeignPackage, check

    try:
        check()
    except ForeignPackage as foreign:
        raise pytest.UsageError(str(foreign)) from foreign
