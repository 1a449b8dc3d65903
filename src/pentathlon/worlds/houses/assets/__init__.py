"""House objects made by code: meshes, textures, materials, and the types built from them."""
