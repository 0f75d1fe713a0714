"""Relations that need no oracle: what must hold between two answers of one tape, whatever the right answer is.

`RELATIONS` are the relations (`table.py`), each of which makes of a program another one in which two steps must agree;
`judge(related, answers)` says whether they do (`judging.py`); `ask(tape, ...)` runs them (`asking.py`), which is what
`tapecheck relations NAME` does.
"""
