"""What is asked: programs over facts of a house, their words, their answers, and how answers are scored."""
