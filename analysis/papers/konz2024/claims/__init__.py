"""Claims of Konz & Mazurowski 2024."""
