"""What judge adds to the command line: one module per command."""
