"""What a green run means: which cells it covered, how rare a difference is, which faults it would have caught.

`cells_of` says what a program covers (`cells.py`), `bound` bounds the rate of differences (`rate.py`), `mutants` are
the faulty engines of the kill matrix (`kills.py`); `tally.records` makes records of all three.
"""
