"""Changes to the images of a split: crops, permuted or random pixels, mixtures, projections."""
