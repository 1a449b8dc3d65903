"""What see adds to the command line: one module per command."""
