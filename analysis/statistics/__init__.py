"""Averages, groups and law fits over tables of runs."""
