"""Tensors, variables and sparse rows, their shapes, and what becomes a tensor."""
