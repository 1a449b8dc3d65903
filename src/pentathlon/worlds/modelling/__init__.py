"""What worlds are built with: meshes, textures, materials, colours and prints, made with numpy."""
