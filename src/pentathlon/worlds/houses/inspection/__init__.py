"""What is wrong with a house, found by looking at it as built."""
