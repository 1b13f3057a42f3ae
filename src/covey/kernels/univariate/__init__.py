"""Clusters of consecutive values of one attribute."""
