"""Faulty implementations: the simulator with one known fault each, and what share of them the case set finds.

``catalogue/`` holds the faults as data by class, the modules beside it the few ways to build them, ``trial`` and
``command`` the measuring.
"""
