"""Laws that synthetic data is drawn from."""
