"""File formats and label tables, whatever data set they belong to."""
