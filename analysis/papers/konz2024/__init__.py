"""Figures, tables and claims of Konz & Mazurowski 2024, and what they share."""
