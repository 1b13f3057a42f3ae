"""Step 3, aggregate: which value stands for a cluster, which sums for a table in pieces?"""

from covey.aggregate.centroid import cluster_means, cluster_modes, cluster_sums
from covey.aggregate.ranks import sums_of_ranks

__all__ = ["cluster_means", "cluster_modes", "cluster_sums", "sums_of_ranks"]
