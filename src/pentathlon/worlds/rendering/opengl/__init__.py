"""MuJoCo's own OpenGL renderer, as the reference."""
