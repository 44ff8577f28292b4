"""Networks, losses and the training step. Depends on tensors, not on their source."""
