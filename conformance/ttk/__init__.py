"""Case files of TTK: CSV whose cells are Python literals → cases of this suite."""
