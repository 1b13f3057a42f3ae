"""Paper 000: noise on the centroids of clusters that were chosen from the records."""
