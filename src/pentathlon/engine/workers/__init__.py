"""Workers: where they live, what they are told, and how they run heats."""
