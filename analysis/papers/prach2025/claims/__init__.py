"""Claims of Prach & Lampert 2025."""
