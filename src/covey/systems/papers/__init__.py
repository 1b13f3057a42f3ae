"""What the papers print, with what is really true of it."""
