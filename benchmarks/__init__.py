"""Speed as ratios to a peer, measured in one run: `python -m benchmarks [name ...]`."""
