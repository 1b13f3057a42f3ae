"""Paper 003: cross moments of clusters."""
