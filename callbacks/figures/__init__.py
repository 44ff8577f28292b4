"""The figures of probes; nothing else in this folder's parent draws."""
