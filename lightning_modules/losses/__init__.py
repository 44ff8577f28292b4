"""What is minimised; a loss also says which class its scores mean."""
