"""Starting the runs of a command: one by one, in processes, or by Hydra's plugins."""
