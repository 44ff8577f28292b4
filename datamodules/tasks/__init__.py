"""Tasks: labels, chosen independently of the images."""
