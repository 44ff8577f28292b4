"""Tables of Konz & Mazurowski 2024."""
