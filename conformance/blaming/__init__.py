"""Who is off? Arbiters that share no code with any engine."""
