"""Laws that synthetic data are drawn from."""
