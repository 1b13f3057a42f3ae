"""Clusters of records that are close in all attributes: MD, MDAV, V-MDAV, and the k-d tree."""
