"""Control tasks of DMControl, MetaWorld, Adroit and TriFinger."""
