"""Tables of Prach & Lampert 2025."""
