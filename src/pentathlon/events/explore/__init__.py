"""Explore: what did the agent learn by exploring freely?"""
