"""Agents that find: CoW in separable parts, the controls it is measured against, and a chat agent."""
