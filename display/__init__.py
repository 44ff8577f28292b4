"""Terminal output: messages, progress, tables of runs, remaining time."""
