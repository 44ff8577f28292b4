"""One small file per data set: its layout on disk and the meaning of its labels."""
