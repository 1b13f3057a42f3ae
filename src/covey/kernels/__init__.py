"""Numba kernels: arrays in, arrays out.  The only importer of numba."""
