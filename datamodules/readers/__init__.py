"""One small file per data set: how it lies on disk and what its labels mean."""
