"""A simulated implementation: host checks from contracts, numpy kernels, the two-phase protocol."""
