"""Weights from a file: reading it, matching its names to ours, freezing what was learned."""
