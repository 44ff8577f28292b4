"""Weights from a file: reading it and matching its names to ours."""
