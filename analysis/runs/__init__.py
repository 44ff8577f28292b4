"""Tables of runs: folders and archives read, identified, selected."""
