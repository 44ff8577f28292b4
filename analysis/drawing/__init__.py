"""What figures are drawn with: style, panels, courses, files."""
