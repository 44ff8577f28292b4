"""Losses: scores and class indices in, a number to minimise out."""
