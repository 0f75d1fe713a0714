"""One module per group of rules; see `conformance.rules` for how to read and add them."""
