"""What act adds to the command line: one module per command."""
