"""Case files of ATK, as they are: JSON lists of calls without answers → cases of this suite."""
