"""Gradients that users write: custom and registered ones, Python functions as ops, and checks of gradients."""
