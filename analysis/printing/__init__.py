"""What tables and names look like in print: Markdown, LaTeX, display names."""
