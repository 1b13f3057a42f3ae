"""Numba kernels: arrays in, arrays out.  The only importer of numba.

Arrays are copied element by element: with a slice of an array on the left and an array on the
right, a kernel compiles three seconds longer, for the text of an error that cannot occur.
"""

from covey.kernels.caching import choose_cache

choose_cache()
