"""Make a failing program small."""
