"""Lamps, plants, and what hangs, lies or stands for show."""
