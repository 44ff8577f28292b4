"""Generated data sets in the true on-disk format of the real ones, read by the real readers."""
