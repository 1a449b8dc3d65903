"""Standings, comparisons and the static site of a folder of runs."""

from pentathlon.report import compare, standings
from pentathlon.report.site import build_site

__all__ = ["build_site", "compare", "standings"]
