"""Speed as ratios to a peer, measured side by side in one run: `python -m benchmarks [name ...]`."""
