"""Figures of Movahedi et al. 2025."""
