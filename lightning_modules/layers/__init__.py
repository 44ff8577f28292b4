"""1-Lipschitz layers, with which a margin of the scores is a certificate."""
