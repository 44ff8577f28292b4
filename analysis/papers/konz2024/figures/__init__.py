"""Figures of Konz & Mazurowski 2024."""
