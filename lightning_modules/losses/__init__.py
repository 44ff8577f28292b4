"""What is minimised; a loss also says which class its scores mean."""

"""Losses: scores and class indices in, a number to minimise out."""
