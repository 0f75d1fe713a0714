"""Makes `pytest conformance/` a run: see `plugin.py`."""

from conformance.siblings import check

check()
pytest_plugins = ("conformance.plugin",)
