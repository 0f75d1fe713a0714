"""How a program is spelled as Python text; `conformance.scripting.script` is the door."""
