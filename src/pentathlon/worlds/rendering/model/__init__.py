"""A MuJoCo model as the flat arrays that kernels read."""
