"""The moves of the generator: each turns one choice into steps of the program under construction.

`draft` holds the program so far and what is roughly known of its values; `calls`, `leaves`, `tapes`, `asking`,
`misuse` and `threads` hold families of moves. `conformance.generating.builder` joins them.
"""
