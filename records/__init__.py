"""A run on disk: its key, seeds, folder, lock, record and metrics. Does not import torch.

Imports are light, so that finished runs are recognised and sweeps are listed at once.
"""
