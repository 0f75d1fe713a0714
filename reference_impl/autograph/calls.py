from __future__ import annotations


def converted(function, entry=False):
    return function
