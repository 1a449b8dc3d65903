"""Judges: how well does a sentence describe a video?"""
