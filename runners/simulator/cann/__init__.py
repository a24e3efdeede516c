"""The simulated CANN: libraries and headers of the same C interface, built here, computing with the simulator."""
