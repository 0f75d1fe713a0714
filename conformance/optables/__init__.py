"""Families of op rows; each module holds `ROWS`, and `conformance.optable.TABLE` joins them in a fixed order."""
