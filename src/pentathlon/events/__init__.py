"""The five events, one folder each."""
