"""Our sound systems beside MST and AIM: `make rivals`, or ``python -m benchmarks.rivals``."""
