"""What a run is on disk: its key, its seeds, its folder, lock, record and metrics. No torch here.

Imports stay light so that a finished run is recognised, and a sweep listed, in a blink.
"""
