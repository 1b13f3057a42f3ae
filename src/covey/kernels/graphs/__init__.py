"""Degrees, triangles and paths; graphs with given degrees."""
