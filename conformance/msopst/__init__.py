"""Case files of msopst: JSON lists of cases whose inputs list types, shapes and ranges to be combined → our cases."""
