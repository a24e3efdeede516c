"""The core of the aclnn conformance suite: contracts, cases, generation, comparison, verdicts and records.

It knows nothing of torch, ctypes, devices or HTML; runners and reports do.
"""

__version__ = "0.1.0"
