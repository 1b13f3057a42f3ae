"""Which documents describe the systems, and by which short names do we cite them?"""

from __future__ import annotations

PAPERS: dict[str, str] = {
    "000": "Soria-Comas, Domingo-Ferrer: Differentially private data publishing via optimal "
    "univariate microaggregation and record perturbation.",
    "001": "Domingo-Ferrer, Solanas, Martínez-Ballesté: Privacy in statistical databases: "
    "k-anonymity through microaggregation.",
    "002": "A doctoral thesis on stable microaggregation of tables and dK-microaggregation, "
    "dK-projection and personalised privacy of graphs.",
    "003": "Parra-Arnau, Domingo-Ferrer, Soria-Comas: Differentially private data publishing via "
    "cross-moment microaggregation.",
    "004": "Soria-Comas, Domingo-Ferrer, Sánchez, Martínez: Enhancing data utility in differential "
    "privacy via microaggregation-based k-anonymity.",
}
