"""The built-in judge that sees order: recognises steps in every frame and aligns a description's steps with them."""
