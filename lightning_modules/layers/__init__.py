"""Layers that never stretch a distance, so that a margin of the scores is a certificate."""
