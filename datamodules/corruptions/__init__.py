"""Changes to the images themselves: crops, permuted or random pixels, mixtures, projections."""
