"""Systems that promise k-anonymity, and nothing else."""
