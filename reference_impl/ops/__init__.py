"""The ops, one declaration each; see declare.py."""
