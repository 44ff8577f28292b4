"""The figures of probes; no other file of `callbacks` draws."""
