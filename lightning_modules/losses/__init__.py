"""Losses; each also maps scores to a predicted class."""
