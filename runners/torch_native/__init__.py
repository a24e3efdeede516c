"""Torch's own operators as an implementation under test: its kernels, its precision, on CPU, CUDA or NPU."""
