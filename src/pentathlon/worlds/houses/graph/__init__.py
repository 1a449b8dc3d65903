"""What is true in a house: relations and visibility."""
