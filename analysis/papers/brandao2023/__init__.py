"""Figures, tables and claims of Brandao et al. 2023, and what they share."""
