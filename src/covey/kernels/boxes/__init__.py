"""Boxes of records, cut again and again."""
