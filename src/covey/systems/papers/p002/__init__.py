"""Paper 002: stable clusters of tables; degrees of graphs."""
