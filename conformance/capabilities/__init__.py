"""What a tape has, and what a program needs of it: `needs.py`, `probes.py`, `able.py`, `audit.py`."""
