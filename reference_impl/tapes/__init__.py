"""Tapes: what they record, how they are walked back, jacobians."""
