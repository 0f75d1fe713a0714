"""What a run has covered: which of TensorFlow's gradient functions really ran, and what each op agreed in.

`count(session, chunks)` runs programs and counts; `reach.py` says which gradient functions can be reached, `traits.py`
what a program asks of each op.
"""
