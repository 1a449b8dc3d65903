"""The land: kinds of blocks, how it lies, and the triangles that are seen of it."""
