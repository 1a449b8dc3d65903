"""Agents that explore: what they see with, how they walk and reach, and what they remember."""
