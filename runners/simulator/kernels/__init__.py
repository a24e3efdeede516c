"""One numpy kernel module an API, in a package a family; ``kernel_lookup.find_kernel`` finds them by name."""
