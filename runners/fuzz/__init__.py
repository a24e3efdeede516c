"""Calls made from contracts alone: fuzzed with hypothesis, or proposed by pairwise combination."""
