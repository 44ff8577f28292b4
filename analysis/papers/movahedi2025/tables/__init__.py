"""Tables of Movahedi et al. 2025."""
