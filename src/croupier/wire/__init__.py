"""Wire formats that are not ours, without I/O: they know neither tables nor sockets."""
