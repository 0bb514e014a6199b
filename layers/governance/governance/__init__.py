"""Keys, limits, budgets and the audit: who may call, how much, and what is written down.

Imports nothing by itself: the authorizer needs a few of these modules and must start fast.
"""
