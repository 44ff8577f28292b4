"""Figures, tables and claims of Movahedi et al. 2025, and what they share."""
