"""The reference: documented formulas in float64, or int64, on torch CPU, one module an API.

``<family>/<api_snake>.py`` holds ``golden`` and, where torch has such an operator, ``benchmark``; a new API
is one new file there and nothing else.
"""
