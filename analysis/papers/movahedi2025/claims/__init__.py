"""Claims of Movahedi et al. 2025."""
