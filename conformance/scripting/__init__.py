"""How a program is spelled as Python text; `conformance.script` is the door."""
