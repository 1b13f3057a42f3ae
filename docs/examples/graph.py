"""Publish the degrees of a network, and a new network that has them.

The network is made up: 1,500 people who meet, some of them far more often than others.
"""

import numpy as np

import covey

PEOPLE = 1500
FRIENDLY = 0.5
"""How likely two people of a circle meet."""


def main() -> None:
    """Hide one contact first, then one person with all contacts."""
    # Who takes part is public here, so people without contacts are listed, too.
    graph = covey.read_graph(contacts(), nodes=np.arange(PEOPLE))
    print(f"{graph.n_nodes:,} people, {graph.n_edges:,} contacts\n")

    # One contact: whether two people meet stays hidden; that they are in the data does not.
    release = covey.publish(graph, "joint-degree-boxes", epsilon=1.0, unit="edge")
    print(release.guarantee, "\n")
    print("How many contacts join people of which degrees:")
    print(release.frame.sort("edges", descending=True).head(3), "\n")
    print(f"A new network with these degrees: {release.extras['edges'].height:,} contacts\n")

    # One person with all contacts: a stronger promise, and more noise.
    stronger = covey.publish(graph, "degree-histogram", epsilon=1.0, unit="node")
    print(stronger.guarantee, "\n")

    # For the curator only: computed on the original network.
    scores = covey.evaluate(graph, release)
    for name in ("ks_2k", "average_degree_error", "max_degree_error", "local_clustering_error"):
        print(f"{name}: {scores[name]:.3f}")
    print(
        "The degrees are near. The clustering is not: circles of friends were not measured, so\n"
        "the new network has only those that chance makes."
    )


def contacts() -> np.ndarray:
    """Make up circles of friends, and a few busy people who know many others."""
    random = np.random.default_rng(11)
    pairs = []
    for first in range(0, PEOPLE, 6):
        circle = np.arange(first, first + 6)
        pairs += [(a, b) for a in circle for b in circle if a < b and random.random() < FRIENDLY]
    for busy in range(0, PEOPLE, 50):
        known = random.choice(PEOPLE, size=random.integers(20, 80), replace=False)
        pairs += [(min(busy, other), max(busy, other)) for other in known if other != busy]
    return np.unique(np.array(pairs), axis=0)


if __name__ == "__main__":
    main()
