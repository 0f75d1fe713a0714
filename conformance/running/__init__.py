"""A run: its plan, its two tapes, its chunks, its end."""
