"""Arithmetic on arrays that takes more than one NumPy call: plain functions of arrays, usable by themselves.

They work on anything with NumPy's protocols (NEP 13 and 18), and keep NumPy scalars NumPy scalars.
"""
