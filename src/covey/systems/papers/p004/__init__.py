"""Paper 004: insensitive microaggregation as it was evaluated."""
