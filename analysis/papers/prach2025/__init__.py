"""Figures, tables and claims of Prach & Lampert 2025, and what they share."""
