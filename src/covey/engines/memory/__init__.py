"""Records that are held in memory."""
