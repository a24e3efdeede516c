"""Kernels of the activation family."""
