"""A folder per paper: exhibits and claims in `exhibits.toml`, its numbers in `published.csv`."""
