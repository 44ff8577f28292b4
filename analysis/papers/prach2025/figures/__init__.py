"""Figures of Prach & Lampert 2025."""
