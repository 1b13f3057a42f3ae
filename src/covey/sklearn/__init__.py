"""How do microaggregation and releases fit into scikit-learn?

An extra, ``pip install 'covey[sklearn]'``: ``import covey`` does not import this package.
"""

try:
    import sklearn as _sklearn  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError(
        "covey.sklearn needs scikit-learn, which is not installed. "
        "Install it: pip install 'covey[sklearn]'."
    ) from error

from covey.sklearn.microaggregator import Microaggregator
from covey.sklearn.publisher import Publisher

__all__ = ["Microaggregator", "Publisher"]
