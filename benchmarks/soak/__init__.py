"""Random valid plans on random small data, again and again: ``make soak``."""
