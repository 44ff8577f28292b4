"""What is measured: pure functions in `metrics.functional`, thin torchmetrics classes beside it."""
