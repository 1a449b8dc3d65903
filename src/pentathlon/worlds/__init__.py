"""Simulators and the eyes they share."""
