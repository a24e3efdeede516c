"""Calls executor scripts of ATK that the user trusts, for the inputs that they write; knows nothing of verdicts."""
