"""When to measure, on what, and what to log. No maths."""
