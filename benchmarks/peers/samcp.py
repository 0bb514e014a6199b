"""samcp as it is deployed: the lab's handler, its log and metric receivers on, all four tools."""

from functions.lab.app import lambda_handler

__all__ = ["lambda_handler"]
