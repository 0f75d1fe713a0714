"""What helps to bring a tape: `new_adapter.py`, `smoke.py`, `protocol_check.py`, `expect.py`."""
