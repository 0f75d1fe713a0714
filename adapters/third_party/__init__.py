"""Tapes of other projects behind the common interface; each file says what of it is the library's and what is not."""
