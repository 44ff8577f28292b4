"""Generated data sets in the true on-disk format of the real ones, read by the real readers.

Every writer takes `root`, the folder to write into; `seed`, of everything random; `images`, how
many the reader finds at least, balanced over the classes; `difficulty`, from 0 (classes are plain
to see) to 1 (they are hidden in noise or texture); and `size`, pixels per side.
"""
