"""Numba kernels: arrays in, arrays out.  The only importer of numba.

Arrays are copied element by element: with a slice of an array on the left and an array on the
right, a kernel compiles three seconds longer, for the text of an error that cannot occur.

numba keeps compiled kernels by the file of the outermost one.  So after a change to a function that
kernels of other files call, delete `__pycache__/*.nb*`, or they go on with the old one.
What a kernel seldom needs, and what NumPy does as well, stays outside: `np.where`, `np.repeat` and
`np.argsort` compile for a second each, and a constant as an argument compiles its function anew.
"""

from covey.kernels.caching import choose_cache

choose_cache()
