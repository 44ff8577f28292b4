"""What can be set: YAML groups, the typed root, and the checks made before anything runs."""
