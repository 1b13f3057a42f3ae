"""Systems with a differential promise, one file or folder for each name."""
