"""Step 3, aggregate: which value stands for a cluster?"""

from covey.aggregate.centroid import block_sums, cluster_means, cluster_modes, cluster_sums

__all__ = ["block_sums", "cluster_means", "cluster_modes", "cluster_sums"]
