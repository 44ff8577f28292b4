"""How the runs of a command are started: here one by one, in processes, or by Hydra's plugins."""
