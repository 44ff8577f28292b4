"""Claims of Brandao et al. 2023."""
