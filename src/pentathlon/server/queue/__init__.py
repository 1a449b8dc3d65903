"""Submissions and their way through the queue: accounts, claims, jobs, results."""
