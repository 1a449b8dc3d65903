"""Thresholds of localizers, found on rendered pictures of training houses."""
