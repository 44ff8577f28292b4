"""Networks, losses and the training step. Knows tensors; not where they come from."""
