"""Forward mode: accumulators and the tangents they carry."""
