"""Is an answer the wanted one? Error bounds, lanes, comparison, and the cause of a difference."""
