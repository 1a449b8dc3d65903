"""Archives of strangers: what may be in them, and unpacking them where a fault leads nowhere."""
