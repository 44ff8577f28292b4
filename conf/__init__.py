"""Settings: YAML groups, the typed root, and the checks before any run starts."""
