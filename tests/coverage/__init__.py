"""Simulated coverage of every interval that the product prints."""
