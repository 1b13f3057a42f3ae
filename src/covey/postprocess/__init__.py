"""Whatever is made from published numbers alone: it costs no privacy."""
